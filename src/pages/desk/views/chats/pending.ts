import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect } from "preact/hooks";
import type { Outgoing } from "../../state/state.ts";
import { useView } from "../context.ts";

interface PendingProps {
  /** Id of the chat. */
  readonly chat: string;
  readonly out: Outgoing;
}

/** A message that is being sent, or was not sent, with the reason and the possible actions. */
export function Pending({ chat, out }: PendingProps): VNode {
  const { acts, words } = useView();
  const { key, text, state, reason, retryable, unreached, part } = out;
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (state === "sending" && document.activeElement === document.body)
      document.querySelector<HTMLElement>("#message")?.focus();
  }, [state]);
  return html`<li class=${`said own pending ${state}`}>
    <div class="bubble"><p class="text" dir="auto">${text}</p></div>
    ${
      state === "failed"
        ? html`<p class="mark problem" role="alert">
              ${[words.notSent, reason, unreached && words.sentLater].filter(Boolean).join(" ")}
            </p>
            <div class="buttons">
              ${
                retryable &&
                html`<button type="button" onClick=${() => acts.outbox.retry(chat, key)}>
                  ${words.retry}
                </button>`
              }
              <button type="button" onClick=${() => acts.outbox.discard(chat, key)}>
                ${words.discard}
              </button>
            </div>`
        : html`<p class="mark" aria-live="off">
            ${
              part !== undefined &&
              state === "sending" &&
              html`<progress value=${part} aria-label=${text}></progress>${" "}`
            }
            ${state === "sent" ? words.sent : words.sending}
          </p>`
    }
  </li>`;
}
