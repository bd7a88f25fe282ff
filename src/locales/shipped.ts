/**
 * The locales Afterword ships texts for: 30 languages, and the regional tables pt-BR and zh-Hant.
 * They are Afterword's own choice, not the engine's list of languages; any other locale comes by
 * configuration.
 */
export const LOCALES: readonly string[] = Object.freeze(
  (
    "ar ca cs da de el en es eu fi fr gl he hu id it ja ko nl no pl pt pt-BR ro ru sv th tr uk vi " +
    "zh zh-Hant"
  ).split(" "),
);
