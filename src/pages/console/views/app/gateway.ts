import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { DoctorFinding, HandOver, Health } from "../../../../api/console-health.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { fill } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { sayStep } from "../../findings.ts";
import { nameCallState, namePhase } from "../../words.ts";
import {
  Findings,
  Pending,
  SentenceText,
  SnapshotDetails,
  problemOf,
  useAnswer,
  useView,
} from "../context.ts";

/** Shows the running version, the files in use, and their mistakes. */
export function HealthView(): VNode {
  const { words, language, session } = useView();
  const answer = useAnswer<Health>("health");
  const health = answer.value;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  return html`<section class="health" aria-label=${words.health}>
    <div class="tools">
      <h2>${words.health}</h2>
      <button type="button" onClick=${answer.again}>${words.refresh}</button>
    </div>
    <${Pending} of=${answer} />
    ${
      health !== null &&
      html`<dl>
          <dt>${words.version}</dt>
          <dd>${health.version}</dd>
          ${
            health.reload !== undefined &&
            html`<dt>${words.readAt}</dt>
              <dd>${time.format(new Date(health.reload.at))}</dd>`
          }
          <dt>${words.upstream}</dt>
          <dd>
            ${
              health.upstream.state === "failing"
                ? fill(words.failing, { reason: health.upstream.failure ?? "" })
                : words[health.upstream.state]
            }
          </dd>
        </dl>
        <${SnapshotDetails} of=${[health.snapshot]} />
        <h3>${words.found}</h3>
        ${
          !health.readable
            ? html`<p class="quiet">${words.filesUnknown}</p>`
            : health.findings.length === 0 && html`<p class="good">${words.noFindings}</p>`
        }
        <${Findings} of=${health.findings} />
        ${
          health.unexpected.length > 0 &&
          html`<h3>${words.unexpected}</h3>
            <ul>
              ${health.unexpected.map(({ flag, count }) => html`<li>${fill(words.times, { flag, count })}</li>`)}
            </ul>`
        }`
    }
    ${
      // These sections stand below the answer, which would push them down when it arrives.
      (health !== null || answer.problem !== null) &&
      session.role === "admin" &&
      html`<${DoctorView} /><${HandedOverView} />`
    }
  </section>`;
}

/** Shows the steps of a client through this gateway. */
function DoctorView(): VNode {
  const { words, language, token, bot } = useView();
  const [findings, change] = useState<readonly DoctorFinding[]>([]);
  const { busy, problem, attempt } = useAttempt((error) => problemOf(error, words));
  const examine = async (): Promise<void> => {
    change([]);
    type Answer = { readonly findings: readonly DoctorFinding[] };
    change((await ask<Answer>(token, "doctor", { instance: bot })).findings);
  };
  return html`<h3>${words.doctor}</h3>
    <p class="quiet">${words.doctorAbout}</p>
    <div>
      <button type="button" disabled=${busy} onClick=${() => void attempt(examine)}>
        ${busy ? words.loading : `${words.doctor} (${bot})`}
      </button>
    </div>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <ol class="findings" aria-live="polite">
      ${findings.map((finding) => {
        const { ok } = finding;
        const { step, found, cure } = sayStep(finding, words, language);
        return html`<li class=${ok ? "note" : "error"}>
          <b class=${ok ? "good" : "alarm"}>${ok ? "✓" : "✗"} ${step}</b>${" "}
          <${SentenceText} of=${found} />
          ${finding.cure !== null && html`<br /><${SentenceText} of=${cure} />`}
        </li>`;
      })}
    </ol>`;
}

/** Lists conversations with a person or on their way to one, and an operator's decisions. */
function HandedOverView(): VNode {
  const { words } = useView();
  const answer = useAnswer<{ readonly escalations: readonly HandOver[] }>("escalations");
  return html`<h3>${words.handedOver}</h3>
    <${Pending} of=${answer} />
    ${answer.value?.escalations.length === 0 && html`<p class="quiet">${words.noneOpen}</p>`}
    <ul class="findings">
      ${answer.value?.escalations.map(
        (one) => html`<${Conversation} key=${one.conversation} of=${one} again=${answer.again} />`,
      )}
    </ul>`;
}

type Call = HandOver["calls"][number];

function Conversation({ of, again }: { readonly of: HandOver; readonly again: () => void }): VNode {
  const { words, language, token } = useView();
  const { problem, attempt } = useAttempt((error) => problemOf(error, words));
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const decide = async ({ kind, epoch }: Call, settle: string): Promise<void> => {
    await ask(token, "escalations", { conversation: of.conversation, kind, epoch, settle });
    again();
  };
  return html`<li>
    <p>
      <code>${of.conversation.slice(0, 12)}</code> ${of.instance} · ${namePhase(words, of.phase)}
      <small> ${time.format(new Date(of.updated))}</small>
    </p>
    ${of.calls.map(
      (call) =>
        html`<div class="tools">
          <p>
            ${words[call.kind]}: ${nameCallState(words, call.state)}${" "}
            <small lang="en" dir="ltr">${call.problem}</small>
          </p>
          <div>
            ${listDecisions(call, of).map(
              ([settle, word]) =>
                html`<button
                  type="button"
                  onClick=${() => void attempt(() => decide(call, settle))}
                >
                  ${words[word]}
                </button>`,
            )}
          </div>
        </div>`,
    )}
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  </li>`;
}

/** Lists what an operator may decide about a call. The gateway judges again. */
function listDecisions({ kind, epoch, state }: Call, { epoch: current, chat }: HandOver) {
  const drop = ["drop", "giveUp"] as const;
  if (kind === "chat" && chat !== null && epoch === current) return [drop];
  if (state === "done" || state === "refused") return [];
  const done = ["done", "exists"] as const;
  return kind === "chat" ? [done, drop] : [["retry", "sendAgain"] as const, done, drop];
}
