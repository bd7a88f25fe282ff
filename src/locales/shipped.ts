/**
 * The locales of Afterword's texts: languages, and regions that need other texts. They are
 * Afterword's choice and not the engine's list of languages. Configurations can add any other.
 */
export const LOCALES: readonly string[] = Object.freeze(
  (
    "ar ca cs da de el en es es-419 eu fi fr fr-CA gl he hu id it ja ko nl no pl pt pt-BR ro ru " +
    "sv th tr uk vi zh zh-Hant"
  ).split(" "),
);
