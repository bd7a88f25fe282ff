/** The part of sax that is used here. */
declare module "sax" {
  namespace sax {
    interface Tag {
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
    }

    interface Handlers {
      readonly onerror: (error: Error) => void;
      readonly onopentag: (tag: Tag) => void;
      readonly onclosetag: (name: string) => void;
      readonly ontext: (text: string) => void;
      readonly oncdata: (text: string) => void;
      readonly ondoctype: (doctype: string) => void;
    }

    interface Parser {
      /** Index behind the last character read. */
      readonly position: number;
      /** Index behind the `<` of the current tag. */
      readonly startTagPosition: number;
      /** A parser with an error reads no further until it is null again. */
      error: Error | null;
      write(text: string): Parser;
      close(): Parser;
    }

    /** Strict: XML, not the HTML of browsers. */
    function parser(strict: true, options: { readonly strictEntities: true }): Parser;
  }

  export = sax;
}
