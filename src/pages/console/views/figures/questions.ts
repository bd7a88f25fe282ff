import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ContentList } from "../../../../api/console-contents.ts";
import type { AskedQuestion, InsightsAnswer } from "../../../../api/console-insights.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { Switch } from "../../../shared/fields.ts";
import { formatNumber } from "../../../shared/format.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { formatShare } from "../../insights.ts";
import {
  go,
  mayEdit,
  mayReadQuestions,
  Pending,
  problemOf,
  useAnswer,
  useOpener,
  useView,
  type View,
} from "../context.ts";
import { SaveSheet } from "./insight-table.ts";
import { PhraseForm } from "./question-phrase.ts";

/** The most groups that are shown. */
const maxGroups = 100;

/** Questions of readers without an answer: each can become a content, or a phrase of one. */
export function QuestionsView(): VNode {
  const { words, session, bot } = useView();
  const mayRead = mayReadQuestions(session);
  const [isAll, showAll] = useState(false);
  const dismissed = isAll ? "&dismissed=yes" : "";
  const query = `questions=${maxGroups}&days=no&instance=${encodeURIComponent(bot)}${dismissed}`;
  const answer = useAnswer<InsightsAnswer>(mayRead ? `insights?${query}` : null);
  const contents = useAnswer<ContentList>(session.contents ? "contents" : null);
  // The buttons appear with the questions, so that nothing moves later.
  const isComing = session.contents && contents.value === null && contents.problem === null;
  const questions = answer.value?.questions ?? null;
  const isOff = answer.value !== null && questions === null;
  const about = !mayRead
    ? words.questionsRole
    : isOff
      ? fill(words.questionsOff, { setting: "insights: { questions: true }" })
      : words.questionsAbout;
  return html`<section class="questions" aria-label=${words.questions}>
    <p class="quiet">${about}</p>
    ${
      mayRead &&
      !isOff &&
      html`<${Switch} label=${words.showDismissed} isOn=${isAll} turn=${showAll} />`
    }
    ${mayRead && !isOff && html`<${Pending} of=${isComing ? contents : answer} />`}
    ${questions?.length === 0 && html`<p role="status">${words.noQuestions}</p>`}
    ${questions !== null && questions.length > 0 && html`<${SaveQuestions} of=${questions} />`}
    <ul class="asked">
      ${
        !isComing &&
        questions?.map(
          (one) =>
            html`<${Group}
              key=${one.id}
              of=${one}
              isOwn=${contents.value?.demo === false}
              again=${answer.again}
            />`,
        )
      }
    </ul>
  </section>`;
}

/** Saves the questions that are shown. */
function SaveQuestions({ of }: { readonly of: readonly AskedQuestion[] }): VNode {
  const view = useView();
  const { words, language } = view;
  const listRows = () => [
    [
      words.questions,
      words.language,
      words.conversations,
      words.day,
      words.nearestContent,
      "%",
      words.status,
    ],
    ...of.map((one) => [
      one.text,
      nameLanguage(one.language, language),
      one.conversations,
      one.last.slice(0, 10),
      one.nearest?.title ?? "",
      one.nearest === null ? "" : Math.round(one.nearest.score * 100),
      describeStatus(one, view),
    ]),
  ];
  return html`<${SaveSheet} title=${words.questions} file="questions" listRows=${listRows} />`;
}

/** Tells what became of a question; empty if nothing did. */
function describeStatus(of: AskedQuestion, view: View): string {
  const { words } = view;
  const status = [
    ...(of.answered === null ? [] : [describeAnswer(of, of.answered, view)]),
    ...(of.dismissed ? [words.notForBot] : []),
    ...(of.demo ? [words.demoAsked] : []),
  ];
  return status.join(" · ");
}

/** Names the content that answers a question now, and since when. */
function describeAnswer(
  { nearest }: AskedQuestion,
  { content, since }: NonNullable<AskedQuestion["answered"]>,
  { words, language }: Pick<View, "words" | "language">,
): string {
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  const title = nearest?.title ?? String(content);
  return fill(words.questionAnswered, { title, day: date.format(Date.parse(since)) });
}

interface GroupProps {
  readonly of: AskedQuestion;
  /** True if the contents are the owner's, and can be changed here. */
  readonly isOwn: boolean;
  /** Reads the groups anew. */
  readonly again: () => void;
}

function Group({ of, isOwn, again }: GroupProps): VNode {
  const { words, language, session } = useView();
  const [isOpen, open] = useState(false);
  const opener = useOpener(isOpen);
  const { nearest, answered } = of;
  const contentLanguage = nearest?.language ?? of.language;
  const question = readQuestion(of);
  return html`<li>
    <h3 lang=${of.language}><bdi>${of.text}</bdi></h3>
    <${QuestionFacts} of=${of} isNearestShown=${answered === null} />
    ${
      answered !== null &&
      html`<p class="good">
        <span aria-hidden="true">● </span>${describeAnswer(of, answered, { words, language })}
      </p>`
    }
    ${
      !isOpen &&
      answered === null &&
      html`<p class="tools">
        ${
          isOwn &&
          !of.dismissed &&
          mayEdit(session, contentLanguage) &&
          html`<button type="button" ref=${opener} onClick=${() => open(true)}>
              ${words.addToContent}
            </button>
            <button
              type="button"
              onClick=${() => go(`contents/${contentLanguage}/new/${encodeURIComponent(question)}`)}
            >
              ${words.newContent}
            </button>`
        }
        <${Dismiss} of=${of} again=${again} />
      </p>`
    }
    ${
      isOpen &&
      html`<${PhraseForm}
        of=${of}
        contentLanguage=${contentLanguage}
        question=${question}
        close=${() => open(false)}
      />`
    }
  </li>`;
}

/** Takes a question out of every owner's list, or puts it back. */
function Dismiss({ of, again }: Omit<GroupProps, "isOwn">): VNode {
  const { words, token } = useView();
  const { problem, attempt } = useAttempt((error) => problemOf(error, words));
  const act = (): Promise<boolean> =>
    attempt(async () => {
      await ask(token, `insights/questions/${of.id}`, { dismissed: !of.dismissed }, "PUT");
      again();
    });
  return html`<button type="button" onClick=${() => void act()}>
      ${of.dismissed ? words.showAgain : words.notForBot}
    </button>
    ${problem !== "" && html`<span class="problem" role="alert">${problem}</span>`}`;
}

interface QuestionFactsProps {
  readonly of: AskedQuestion;
  readonly isNearestShown: boolean;
}

/** How many conversations asked it, when it was last asked, and the nearest content. */
export function QuestionFacts({ of, isNearestShown }: QuestionFactsProps): VNode {
  const { words, language } = useView();
  const { nearest } = of;
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  const count = formatNumber(of.conversations, language);
  const facts = fill(words.questionAsked, { count, day: date.format(Date.parse(of.last)) });
  const demo = of.demo && html` · <b>${words.demoAsked}</b>`;
  return html`<p class="quiet">${facts} · ${nameLanguage(of.language, language)}${demo}</p>
    ${
      isNearestShown &&
      nearest !== null &&
      html`<p class="quiet">
        ${fill(words.questionNearest, {
          title: nearest.title,
          score: formatShare(nearest.score, language),
        })}
      </p>`
    }`;
}

/** Returns the question without the signs for redacted words. */
function readQuestion({ text }: AskedQuestion): string {
  return text.replaceAll("[…]", " ").replaceAll(/\s+/gu, " ").trim();
}
