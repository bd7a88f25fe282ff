/** A first content file: three answers that show what most contents need. */
export function createContentTemplate(language: string, schema: string): string {
  return `# yaml-language-server: $schema=${schema}
#
# Your bot's contents. The running backend reads this file again when you save it. If the file has a mistake, the backend keeps
# the last valid contents and reports the mistake. Several files may add to one language; the same id in another language is
# the same content. docs/content.md explains every key.
language: ${language}

# The tree that contents are filed in.
categories:
  - { id: 1, name: Orders }

# Words with the same meaning.
synonyms:
  - [parcel, package]

contents:
  # \`id\`, \`title\` and \`answer\` are required. Never change an id: options, ratings and reports refer to it.
  - id: 1
    title: Where is my order?
    # Other ways to ask. The more of your readers' own words you list, the better searches find this content.
    alternatives: [Track my parcel, When will my order arrive?]
    answer: "<p>Open the <b>tracking link</b> in your shipping e-mail.</p>"
    categories: [1]
    related: [2]
    # A button on your site can jump here: {"directCall": "order-status"}
    directCall: order-status

  - id: 2
    title: Delivery times
    alternatives: [How long does delivery take?]
    answer: "<p>Two to four working days.</p>"
    categories: [1]

  # Options lead on to other contents.
  - id: 3
    title: Help with an order
    alternatives: [I have a problem with my order]
    answer: "<p>What is it about?</p>"
    categories: [1]
    options:
      - { label: Where it is, content: 1 }
      - { label: How long it takes, content: 2 }
`;
}
