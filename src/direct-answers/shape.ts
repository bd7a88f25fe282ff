import { compileShape } from "../json/shape.ts";
import type { Shape } from "../json/types.ts";

const ANSWER: Shape = {
  fields: {
    flags: { items: {} },
    message: {},
    messageList: { items: {} },
    options: { items: {} },
    attributes: { fields: { inbMainTitle: {}, title: {} } },
    parameters: {
      fields: {
        contents: {
          fields: {
            title: {},
            related: { fields: { relatedTitle: {}, relatedContents: { items: {} } } },
          },
        },
      },
    },
  },
};

/** What the decision looks at in a response of POST /conversation/message: `answers`, or one bare answer object. */
export const MESSAGE_RESPONSE: ReturnType<typeof compileShape> = compileShape({
  fields: { ...ANSWER.fields, answers: { items: ANSWER } },
});
