/**
 * The locales Afterword ships texts for: languages, and regions whose readers are spoken to
 * otherwise. They are Afterword's own choice, not the engine's list of languages; any other locale
 * comes by configuration.
 */
export const LOCALES: readonly string[] = Object.freeze(
  (
    "ar ca cs da de el en es es-419 eu fi fr fr-CA gl he hu id it ja ko nl no pl pt pt-BR ro ru " +
    "sv th tr uk vi zh zh-Hant"
  ).split(" "),
);
