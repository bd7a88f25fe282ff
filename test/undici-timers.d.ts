declare module "undici/lib/util/timers.js" {
  /** undici does not publish these types. `delay` is in milliseconds. */
  const timers: { setFastTimeout(callback: () => void, delay: number): unknown };
  export default timers;
}
