import type { FormField } from "./types.ts";

/** How the front end is told which control to show: `actionField` of an answer. */
export interface ActionField {
  readonly fieldType: "list" | "datePicker" | "default";
  /** Always false: what is typed is understood too, and a reader must be able to leave. */
  readonly disableInput: boolean;
  readonly actionFieldId: string;
  readonly variableName: string;
  readonly listValues?: {
    readonly displayType: "buttons" | "dropdown";
    /** The reply is an ordinary message that holds `option`. */
    readonly values: readonly { readonly label: readonly [string]; readonly option: string }[];
  };
}

/** The wire's form of a field. */
export function actionFieldOf(field: FormField): ActionField {
  const common = {
    disableInput: false,
    actionFieldId: field.name,
    variableName: field.variable ?? field.name,
  };
  if (field.type === "date") return { fieldType: "datePicker", ...common };
  if (field.type !== "list") return { fieldType: "default", ...common };
  const values = field.values.map(({ label, value }) => ({
    label: [label] as const,
    option: value,
  }));
  return { fieldType: "list", ...common, listValues: { displayType: field.display, values } };
}
