import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ContentDetails } from "../../../../api/console-contents.ts";
import type { Draft } from "../../../../api/console.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { ask } from "../../api.ts";
import { go, problemOf, useView } from "../context.ts";
import type { Saving } from "./saved-content.ts";

interface ActsProps {
  readonly saving: Saving;
  readonly locale: string;
  readonly of: ContentDetails | null;
  readonly mayChange: boolean;
  /** True if the draft changes it. */
  readonly isDrafted: boolean;
  readonly again: () => void;
}

/** Copies it, removes it from its file, or removes its change from the draft. */
export function ContentActs({ saving, locale, of, mayChange, isDrafted, again }: ActsProps): VNode {
  const { words, token, noteDraft } = useView();
  const { problem, attempt } = useAttempt((error) => problemOf(error, words));
  const { id, fields } = saving;
  if (id === null) return html``;
  const act = (work: () => Promise<void>): Promise<boolean> =>
    attempt(() => saving.save().then(work));
  const path = `draft/contents/${locale}/${id}`;
  const copy = () =>
    act(async () => {
      const json = { like: id, fields: { title: `${fields.title} (2)` } };
      const made = await ask<{ id: number; draft: Draft }>(token, `draft/contents/${locale}`, json);
      noteDraft(made.draft);
      go(`contents/${locale}/${made.id}`);
    });
  const remove = () =>
    act(async () => {
      const { draft } = await ask<{ draft: Draft }>(token, path, { fields: null }, "PUT");
      noteDraft(draft);
      go("contents");
    });
  const takeBack = () =>
    act(async () => {
      noteDraft(await ask<Draft>(token, path, undefined, "DELETE"));
      if (of === null || of.draft === "added") go("contents");
      else again();
    });
  return html`<p class="tools">
      ${isDrafted && html`<button type="button" onClick=${takeBack}>${words.takeBack}</button>`}
      ${
        mayChange &&
        html`<button type="button" onClick=${copy}>${words.copyContent}</button>
          <button type="button" class="danger" onClick=${remove}>${words.removeContent}</button>`
      }
    </p>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}`;
}
