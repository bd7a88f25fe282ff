import { contract, media, published, tickets } from "../files.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

const user = contract("a user is made of a name and an e-mail address, and answered with a UUID");
const shapes = contract(
  "a ticket needs a message and a creator; title and attachments may be left out",
);
const file = contract(
  "media has a name with an extension and its bytes as base64, and is answered with a UUID",
);
const attached = contract(
  "the UUID of media is what attachments and att: name, in tickets and in replies",
);
const creator = contract(
  "the creator of a ticket is a user that exists, by the UUID that creation gave out",
);
const gone = contract(
  "media that nothing attached is deleted after an hour, and its UUID no longer works",
);

/** seed.md 5. Each of these tests runs in both wires. */
export const CASE_MANAGEMENT: readonly Row[] = [
  ...section("5.1", [
    ["ticketing.user-name", "a user is created with a name", user],
    ["ticketing.user-address", "a user's address is an e-mail address, given on creation", user],
    ["ticketing.user-uuid", "creation answers the user's UUID", user],
    [
      "ticketing.user-rest",
      "silent on further user fields: numbered ones, kept one by one",
      tickets(
        "a user can be changed, with further fields one by one, but not to another's address",
      ),
    ],
    ["ticketing.ticket-title", "a ticket may have a title", shapes],
    ["ticketing.ticket-title-required", "silent on a title being needed: it is not", shapes],
    ["ticketing.ticket-message", "a ticket has a text", shapes],
    ["ticketing.ticket-message-always", "and is not made without one", shapes],
    ["ticketing.ticket-inline", "the text names media as the source of an image by att:", attached],
    ["ticketing.ticket-creator", "a ticket has a creator, by a user's UUID", creator],
    ["ticketing.ticket-creator-always", "and is not made without one", shapes],
    ["ticketing.ticket-attachments", "attachments are a list of media UUIDs", attached],
    ["ticketing.ticket-attachments-optional", "attachments may be missing", shapes],
    [
      "ticketing.ticket-answer",
      "silent on a ticket as answered: ours is whole",
      tickets("a ticket is returned whole, with number, UUID and printable number"),
    ],
    [
      "ticketing.media-name",
      "a file's name has its extension",
      file,
      media("is refused for its name %s"),
    ],
    ["ticketing.media-content", "its bytes are base64", file, media("is refused for %s")],
    ["ticketing.media-uuid", "an upload answers the UUID of the media", file],
    ["ticketing.media-use", "that UUID is what attachments and att: name", attached],
    ["ticketing.media-replies", "tickets and replies both take attachments", attached],
  ]),
  ...section("5.2", [
    ["ticketing.post-users", "POST /v1/users: name and address in, a UUID out", user],
    [
      "ticketing.post-tickets",
      "POST /v1/tickets: message and creator, perhaps title and attachments, the ticket out",
      shapes,
      tickets("a ticket needs %s, and nothing is stored without it"),
    ],
    ["ticketing.post-media", "POST /v1/media: name and base64 in, a UUID out", file],
    [
      "ticketing.answer-names",
      "silent on the names in answers: `uuid` and `hash_uuid`, published",
      media("the specification's spelling returns UUIDs, which every identifier may be"),
      published("shows every operation with its address, its fields and its errors"),
    ],
    [
      "ticketing.rest",
      "silent on replies and on reading tickets: ours are there",
      tickets("replies state who answers whom, and a creator's reply opens a solved ticket again"),
      tickets("lists are paged, sorted and filtered"),
    ],
  ]),
  ...section("5.3", [
    [
      "ticketing.states",
      "silent on the states of tickets: ours follow each other as published",
      tickets("states follow each other as documented, and a closed ticket cannot be changed"),
    ],
    [
      "ticketing.media-lifetime",
      "an hour after the upload, unattached media is deleted",
      gone,
      tickets(
        "a file that is not attached within an hour is gone, with the reason; an attached one stays",
      ),
    ],
    [
      "ticketing.media-attached",
      "attached media stays",
      tickets(
        "a file that is not attached within an hour is gone, with the reason; an attached one stays",
      ),
      tickets("an upload that races with the sweeper is attached whole or refused whole"),
    ],
    ["ticketing.media-uuid-dead", "the UUID of deleted media no longer works", gone],
    [
      "ticketing.upload-limits",
      "uploads keep to the limits of section 9",
      media("may have 7,340,032 bytes, and not one more"),
    ],
  ]),
];
