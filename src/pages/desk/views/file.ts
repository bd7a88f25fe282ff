import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMediaMessage } from "../../../api/chat/answers.ts";
import { explain } from "../context.ts";
import { useView } from "./context.ts";
import { useAttempt } from "../../shared/attempt.ts";
import { saveFile } from "../../shared/save-file.ts";
import { fill } from "../../shared/words.ts";

/** A file that was sent: its name and a button that fetches it, or the picture. */
export function FileLine({ file }: { readonly file: ChatMediaMessage }): VNode {
  const { desk, acts, words } = useView();
  const isLost = desk.link === "lost";
  const { busy, problem, attempt } = useAttempt((error) => explain(error, words));
  const [seen, setSeen] = useState("");
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => () => URL.revokeObjectURL(seen), [seen]);
  useEffect(() => {
    const { current } = whole;
    if (current === null || !isPicture(file)) return undefined;
    // A picture is fetched when it scrolls into sight; the button is for failed ones.
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      sight.disconnect();
      fetchFile(setSeen);
    });
    sight.observe(current);
    return () => sight.disconnect();
  }, [file.url]);
  useEffect(() => {
    // A picture that failed without a connection is fetched once it is back.
    if (!isLost && problem !== "" && isPicture(file)) fetchFile(setSeen);
  }, [isLost]);
  const fetchFile = (use: (address: string) => void): void =>
    void attempt(async () => use(URL.createObjectURL(await acts.download(file.url))));
  return html`<div class="file" ref=${whole}>
    ${seen !== "" && html`<img src=${seen} alt=${file.name} onError=${() => setSeen("")} />`}
    <p class="text" dir="auto">${file.name}</p>
    <div class="buttons">
      ${
        isPicture(file) &&
        seen === "" &&
        html`<button
          type="button"
          disabled=${busy}
          aria-label=${fill(words.showFile, { name: file.name })}
          onClick=${() => fetchFile(setSeen)}
        >
          ${words.show}
        </button>`
      }
      <button
        type="button"
        disabled=${busy}
        aria-label=${fill(words.downloadFile, { name: file.name })}
        onClick=${() => fetchFile((address) => saveFile(file.name, address))}
      >
        ${words.download}
      </button>
    </div>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
  </div>`;
}

function isPicture({ type }: ChatMediaMessage): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type);
}

interface FileButtonProps {
  /** Types that the service accepts; null if not known yet. */
  readonly fileTypes: readonly string[] | null;
  readonly pick: (files: readonly File[]) => unknown;
  /** Ids of the field, and of the text about it. */
  readonly id?: string;
  readonly describedBy?: string | undefined;
}

/** Opens the browser's own choice of files. */
export function FileButton({ fileTypes, pick, id, describedBy }: FileButtonProps): VNode {
  const { words } = useView();
  const picker = useRef<HTMLInputElement>(null);
  const handlePick = (): void => {
    pick([...(picker.current?.files ?? [])]);
    if (picker.current !== null) picker.current.value = "";
  };
  return html`<input
      ref=${picker}
      id=${id}
      class="unseen"
      type="file"
      multiple
      accept=${acceptOf(fileTypes)}
      tabindex="-1"
      aria-hidden="true"
      onChange=${handlePick}
    />
    <button type="button" aria-describedby=${describedBy} onClick=${() => picker.current?.click()}>
      <span class="icon icon-clip in-small-pane" aria-hidden="true"></span>
      <span class="in-wide-pane">${words.attach}</span>
    </button>`;
}

/** For the browser: types as they are, extensions with their dot. */
function acceptOf(types: readonly string[] | null): string | undefined {
  return types?.map((one) => (one.includes("/") ? one : `.${one.replace(/^\./, "")}`)).join(",");
}
