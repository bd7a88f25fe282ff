import type { VNode } from "preact";
import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import type {
  ContentDetails,
  ContentFields,
  ContentList,
  ContentNames,
} from "../../../../api/console-contents.ts";
import { Switch, valueOf } from "../../../shared/fields.ts";
import { fill, listOf, nameLanguage } from "../../../shared/words.ts";
import { ContentActs } from "./content-acts.ts";
import { ContentReaders } from "./content-readers.ts";
import { ContentTrialView } from "./content-trial.ts";
import { Findings, mayEdit, Pending, useAnswer, useView } from "../context.ts";
import { RichText } from "./rich-text.ts";
import { hasUnkept, type Saving, Theirs, useSaving, useVersion } from "./saved-content.ts";

interface EditorProps {
  readonly locale: string;
  /** `new`: it gets an id with its first letter. */
  readonly id: string;
  /** A question that is tried at once, and the title of a new content; empty for none. */
  readonly question: string;
}

/** One content: the file's, or a new one that begins empty. */
export function ContentEditor({ locale, id, question }: EditorProps): VNode {
  const isNew = id === "new";
  const answer = useAnswer<ContentDetails>(isNew ? null : `contents/${locale}/${id}`);
  const list = useAnswer<ContentList>(`contents?language=${locale}`);
  // The fields are created anew for a content that was read again, such as after a change was
  // discarded.
  const version = useVersion(answer.value);
  // Typed text is shown even if the content cannot be read any more.
  const isShown = isNew || answer.value !== null;
  const isTyped = useRef(false);
  isTyped.current ||= answer.problem !== null && hasUnkept(locale, id);
  if (list.value === null || !(isShown || isTyped.current)) {
    return html`<${Pending} of=${list.value === null ? list : answer} />`;
  }
  const known = isNew ? null : Number(id);
  const of = answer.value;
  const props = { locale, known, question, of, list: list.value, again: answer.again };
  return html`<${Fields} key=${version} ...${props} />`;
}

interface FieldsProps {
  readonly locale: string;
  /** The id in the address; null means a new one. */
  readonly known: number | null;
  readonly question: string;
  /** Null means a new one, or one that was deleted meanwhile. */
  readonly of: ContentDetails | null;
  readonly list: ContentList;
  readonly again: () => void;
}

function Fields({ locale, known, question, of, list, again }: FieldsProps): VNode {
  const { words, language, session } = useView();
  const saving = useSaving(locale, known, of, question, again);
  const { fields, change, problem, state, id, draft } = saving;
  const isDrafted = state === "kept" || (of !== null && of.draft !== null);
  // A form with typed words stays open if the right is withdrawn: another token can save them.
  const mayType = mayEdit(session, locale) || saving.isUnkept;
  const mayChange = mayType && !list.demo && of?.file !== null && of?.draft !== "removed";
  const findings = (draft?.findings ?? of?.findings ?? []).filter(
    ({ content }) => content?.id === id && content?.language === locale,
  );
  const own = { fields, change, mayChange, locale };
  return html`<section class="content" aria-labelledby="content-title">
    <p><a href="#/contents">${words.back}</a></p>
    <div>
      <h2 id="content-title" tabindex="-1">
        ${fields.title === "" ? words.newContent : html`<bdi lang=${locale}>${fields.title}</bdi>`}
      </h2>
      <p class="quiet">
        ${nameLanguage(locale, language)}${id === null ? "" : ` · ${id}`}
        ${of?.file && of.line > 0 && ` · ${fill(words.writtenIn, { file: of.file, line: of.line })}`}
      </p>
    </div>
    ${list.demo && html`<p class="quiet">${fill(words.demoContents, { command: "afterword backend init" })}</p>`}
    ${of?.file === null && html`<p class="quiet">${words.inDatabase}</p>`}
    ${of?.draft === "removed" && html`<p class="quiet">${words.contentGoes}</p>`}
    ${isBroughtBack(saving, locale, of) && html`<p class="problem" role="status">${words.contentComesBack}</p>`}
    <form onSubmit=${(event: Event) => event.preventDefault()}>
      <div class="worded">
        <${Phrases} ...${own} />
        <p role="status" class="quiet">
          ${state === "" ? isDrafted && words.inDraft : words[state]}${" "}
          ${isDrafted && html`<a href="#/changes">${words.seeChanges}</a>`}
        </p>
        ${
          problem !== "" &&
          html`<p class="problem" role="alert">
            ${problem}${" "}
            <button type="button" onClick=${() => void saving.save()}>${words.again}</button>
          </p>`
        }
        ${saving.theirs !== null && html`<${Theirs} of=${saving.theirs} names=${namesIn(list, locale)} locale=${locale} choose=${saving.choose} />`}
        <${Findings} of=${findings} />
      </div>
      <${ContentTrialView}
        begun=${question}
        locale=${locale}
        id=${id}
        fields=${fields}
        draft=${draft}
      />
      <div class="filed">
        <${Rest} ...${own} list=${list} id=${id} of=${of} />
        ${saving.theirs !== "deleted" && html`<${ContentActs} ...${{ saving, locale, of, mayChange, isDrafted, again }} />`}
      </div>
    </form>
    ${id !== null && of !== null && html`<${ContentReaders} locale=${locale} id=${id} />`}
  </section>`;
}

/** True if the draft keeps a content that somebody else has deleted. */
function isBroughtBack({ draft, id }: Saving, locale: string, of: ContentDetails | null): boolean {
  if (draft === null) return of?.deleted === true;
  return draft.contents.some(
    (one) =>
      one.language === locale &&
      one.id === id &&
      one.before !== null &&
      one.theirs === null &&
      one.after !== null,
  );
}

interface PartProps {
  readonly fields: ContentFields;
  readonly change: Saving["change"];
  readonly mayChange: boolean;
  readonly locale: string;
}

function Phrases({ fields, change, mayChange, locale }: PartProps): VNode {
  const { words } = useView();
  const [typed, type] = useState(fields.alternatives.join("\n"));
  const answers = fields.answer.length === 0 ? [""] : fields.answer;
  return html`<label>
      <span>${words.contentTitle}</span>
      <input
        dir="auto"
        lang=${locale}
        readonly=${!mayChange}
        value=${fields.title}
        onInput=${(event: Event) => change({ title: valueOf(event) })}
      />
    </label>
    <label>
      <span>${words.otherPhrases}</span>
      <textarea
        dir="auto"
        rows="4"
        lang=${locale}
        readonly=${!mayChange}
        value=${typed}
        onInput=${(event: Event) => {
          type(valueOf(event));
          change({ alternatives: readLines(valueOf(event)) });
        }}
      ></textarea>
    </label>
    ${answers.map(
      (answer, index) =>
        html`<${RichText}
          key=${index}
          label=${answers.length === 1 ? words.contentAnswer : `${words.contentAnswer} ${index + 1}`}
          locale=${locale}
          readOnly=${!mayChange}
          value=${answer}
          change=${(markup: string) => change({ answer: answers.with(index, markup) })}
        />`,
    )}`;
}

interface FilingProps extends PartProps {
  readonly list: ContentList;
  readonly id: number | null;
}

/** All fields except the texts; open from the beginning if it hides the content from readers. */
function Rest({ of, ...props }: FilingProps & Pick<FieldsProps, "of">): VNode {
  const { words } = useView();
  const { published, hidden, publishFrom, expires } = props.fields;
  const [isOpen] = useState(!published || hidden || publishFrom !== null || expires !== null);
  return html`<details open=${isOpen}>
    <summary>${words.more}</summary>
    <${Filing} ...${props} />
    <${Showing} ...${props} />
    <${FileOnly} of=${of} />
  </details>`;
}

/** Categories and related contents. */
function Filing({ fields, change, mayChange, locale, list, id }: FilingProps): VNode {
  const { words } = useView();
  const categories = list.languages.find((one) => one.language === locale)?.categories ?? [];
  const titles = new Map(list.contents.map((one) => [one.id, one.title]));
  return html`${
      categories.length > 0 &&
      html`<fieldset disabled=${!mayChange}>
        <legend>${words.categories}</legend>
        ${categories.map(
          (one) =>
            html`<${Switch}
              label=${html`<bdi lang=${locale}>${one.name}</bdi>`}
              isOn=${fields.categories.includes(one.id)}
              turn=${() => change({ categories: toggle(fields.categories, one.id) })}
            />`,
        )}
      </fieldset>`
    }
    <fieldset disabled=${!mayChange}>
      <legend>${words.relatedContents}</legend>
      ${fields.related.map(
        (one) =>
          html`<${Switch}
            label=${html`<bdi lang=${locale}>${titles.get(one) ?? one}</bdi>`}
            isOn
            turn=${() => change({ related: toggle(fields.related, one) })}
          />`,
      )}
      <select
        aria-label=${words.relatedContents}
        value=""
        onChange=${(event: Event) => {
          if (valueOf(event) !== "")
            change({ related: [...fields.related, Number(valueOf(event))] });
        }}
      >
        <option value="">–</option>
        ${list.contents
          .filter((one) => one.id !== id && !fields.related.includes(one.id))
          .map((one) => html`<option value=${one.id} dir="auto">${one.title}</option>`)}
      </select>
    </fieldset>`;
}

/** Whether and when readers see it. */
function Showing({ fields, change, mayChange }: PartProps): VNode {
  const { words } = useView();
  const createMoment = (name: "publishFrom" | "expires", label: string): VNode =>
    html`<label>
      <span>${label}</span>
      <input
        type=${/^\d{4}-\d\d-\d\d$|^$/.test(fields[name] ?? "") ? "date" : "text"}
        readonly=${!mayChange}
        value=${fields[name] ?? ""}
        onInput=${(event: Event) => change({ [name]: valueOf(event) || null })}
      />
    </label>`;
  return html`<div class="dates">
      ${createMoment("publishFrom", words.shownFrom)} ${createMoment("expires", words.shownUntil)}
    </div>
    <${Switch}
      label=${words.offline}
      disabled=${!mayChange}
      isOn=${!fields.published}
      turn=${(isOffline: boolean) => change({ published: !isOffline })}
    />
    <${Switch}
      label=${words.byLinkOnly}
      disabled=${!mayChange}
      isOn=${fields.hidden}
      turn=${(hidden: boolean) => change({ hidden })}
    />`;
}

/** Names the keys that can only be changed in the file. */
function FileOnly({ of }: Pick<FieldsProps, "of">): VNode | null {
  const { words, language } = useView();
  if (of === null || of.others.length === 0) return null;
  const nameKey = ({ key, line }: ContentDetails["others"][number]): string =>
    `${key} (${fill(words.writtenIn, { file: of.file ?? "", line })})`;
  return html`<p class="quiet">
    ${fill(words.inFileOnly, { keys: listOf(of.others.map(nameKey), language) })}
  </p>`;
}

/** The names that the list of contents has. */
function namesIn({ languages, contents }: ContentList, locale: string): ContentNames {
  const categories = languages.find((one) => one.language === locale)?.categories ?? [];
  return {
    categories: Object.fromEntries(categories.map(({ id, name }) => [id, name])),
    related: Object.fromEntries(contents.map(({ id, title }) => [id, title])),
  };
}

function readLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function toggle(all: readonly number[], one: number): readonly number[] {
  return all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
}
