const office = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

const types: ReadonlyMap<string, string> = new Map([
  ["aac", "audio/aac"],
  ["avi", "video/x-msvideo"],
  ["bmp", "image/bmp"],
  ["csv", "text/csv"],
  ["doc", "application/msword"],
  ["docx", `${office}.wordprocessingml.document`],
  ["eml", "message/rfc822"],
  ["exe", "application/vnd.microsoft.portable-executable"],
  ["gif", "image/gif"],
  ["gz", "application/gzip"],
  ["heic", "image/heic"],
  ["htm", "text/html"],
  ["html", "text/html"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["js", "text/javascript"],
  ["json", "application/json"],
  ["log", "text/plain"],
  ["m4a", "audio/mp4"],
  ["md", "text/markdown"],
  ["mjs", "text/javascript"],
  ["mov", "video/quicktime"],
  ["mp3", "audio/mpeg"],
  ["mp4", "video/mp4"],
  ["odp", `${openDocument}.presentation`],
  ["ods", `${openDocument}.spreadsheet`],
  ["odt", `${openDocument}.text`],
  ["oga", "audio/ogg"],
  ["ogg", "audio/ogg"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["ppt", "application/vnd.ms-powerpoint"],
  ["pptx", `${office}.presentationml.presentation`],
  ["rtf", "application/rtf"],
  ["svg", "image/svg+xml"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["txt", "text/plain"],
  ["wav", "audio/wav"],
  ["webm", "video/webm"],
  ["webp", "image/webp"],
  ["wma", "audio/x-ms-wma"],
  ["xhtml", "application/xhtml+xml"],
  ["xls", "application/vnd.ms-excel"],
  ["xlsx", `${office}.spreadsheetml.sheet`],
  ["xml", "application/xml"],
  ["zip", "application/zip"],
]);

/** The media types of all known extensions. */
export const KNOWN_MEDIA_TYPES: ReadonlySet<string> = new Set(types.values());

/** Ticketing's default media types, without any that browsers run, such as HTML or SVG. */
export const TICKETING_MEDIA_TYPES: readonly string[] = [
  ".png",
  ".jpg",
  ".jpeg",
  ".gif",
  ".webp",
  ".bmp",
  ".heic",
  ".tif",
  ".tiff",
  ".pdf",
  ".txt",
  ".log",
  ".csv",
  ".json",
  ".xml",
  ".eml",
  ".rtf",
  ".zip",
  ".docx",
  ".xlsx",
  ".pptx",
  ".odt",
  ".ods",
  ".doc",
  ".xls",
  ".ppt",
  ".mp3",
  ".wav",
  ".ogg",
  ".oga",
  ".m4a",
  ".aac",
  ".wma",
  ".avi",
  ".mp4",
  ".mov",
  ".webm",
];

/** Returns the media type of a file's last extension; null if it is unknown. */
export function typeOfName(name: string): string | null {
  const [, extension = ""] = /\.([A-Za-z0-9]{1,8})$/.exec(name.trim()) ?? [];
  return typeOfExtension(extension.toLowerCase());
}

/** Returns the media type of a lower-case extension without dot; null if it is unknown. */
export function typeOfExtension(extension: string): string | null {
  return types.get(extension) ?? null;
}

/** True if an entry such as `image/png` or `image/*` covers a media type. Two stars cover all. */
export function coversType(entry: string, type: string): boolean {
  if (entry === "*/*") return true;
  return entry.endsWith("/*") ? type.startsWith(entry.slice(0, -1)) : entry === type;
}

/** True if an entry names the file's extension (`png`, `.png`) or covers its media type. */
export function isAllowed(
  allowed: readonly string[],
  { extension, type }: { readonly extension: string; readonly type: string },
): boolean {
  return allowed.some((entry) => {
    const name = entry.trim().toLowerCase().replace(/^\./, "");
    return name !== "" && (name === extension || coversType(name, type));
  });
}

/** True for an extension (`md`, `.md`) or a known media type. Other entries would allow no file. */
export function isUsableEntry(entry: string): boolean {
  if (/^\.?[a-z0-9]{1,16}$/i.test(entry)) return true;
  return [...KNOWN_MEDIA_TYPES].some((type) => coversType(entry.toLowerCase(), type));
}

/** Describes the entries that {@link isUsableEntry} accepts, for messages about others. */
export const USABLE_ENTRIES =
  "an extension such as .md, a known media type such as image/png or image/*, or */* for all";
