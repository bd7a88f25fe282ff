// oxlint-disable typescript/consistent-type-imports -- an ambient module can import in no other way
// The part of the plugin's interface within workerd that these tests use.
declare module "cloudflare:test" {
  type Stub = import("../../../../src/runtime/worker/conversation-store.ts").ConversationStub &
    import("../../../../src/runtime/worker/object-rows.ts").EscalationStub;
  type State = import("../../../../src/runtime/worker/platform.ts").ObjectState;

  export const SELF: { fetch(request: Request): Promise<Response> };
  export const env: {
    readonly AFTERWORD_CONVERSATIONS: import("../../../../src/runtime/worker/platform.ts").ObjectNamespace<Stub>;
  };
  export function runInDurableObject<Value>(
    stub: Stub,
    work: (instance: never, state: State) => Value | Promise<Value>,
  ): Promise<Value>;
  export function evictDurableObject(stub: Stub): Promise<void>;
  export function runDurableObjectAlarm(stub: Stub): Promise<boolean>;
  export function listDurableObjectIds(namespace: unknown): Promise<readonly unknown[]>;
}
