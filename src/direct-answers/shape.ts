import { compileShape } from "../json/shape.ts";
import type { Shape } from "../json/types.ts";

// In every answer, and in the answers inside one.
const DIRECT_ANSWER = {
  flags: { items: {} },
  message: {},
  messageList: { items: {} },
  options: { items: {} },
};
const RELATED: Shape = { fields: { relatedTitle: {}, relatedContents: { items: {} } } };

const ANSWER = {
  ...DIRECT_ANSWER,
  attributes: { fields: { inbMainTitle: {}, title: {} } },
  parameters: { fields: { contents: { fields: { title: {}, related: RELATED } } } },
  subAnswers: {
    items: {
      fields: {
        ...DIRECT_ANSWER,
        parameters: { fields: { contents: { fields: { related: RELATED } } } },
      },
    },
  },
};

/**
 * What the decision looks at in a response of POST /conversation/message: `answers`, or one bare
 * answer object.
 */
export const MESSAGE_RESPONSE: ReturnType<typeof compileShape> = compileShape({
  fields: { ...ANSWER, answers: { items: { fields: ANSWER } } },
});
