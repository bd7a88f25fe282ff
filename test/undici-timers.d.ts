declare module "undici/lib/util/timers.js" {
  /** Its types are not published. Milliseconds. */
  const timers: { setFastTimeout(callback: () => void, delay: number): unknown };
  export default timers;
}
