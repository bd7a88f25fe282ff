/** A first content file: three answers that show what most contents need. */
export function createContentTemplate(language: string, schema: string): string {
  return `# yaml-language-server: $schema=${schema}
#
# What your bot knows. This file is read while the backend runs: save it, and the next answer is the new one. With a mistake in
# it the backend keeps what it had, and says what is wrong. Several files may add to one language; the same id in another
# language is the same content. docs/content.md explains every key.
language: ${language}

# The tree that contents are filed in.
categories:
  - { id: 1, name: Orders }

# Words that mean the same to your readers.
synonyms:
  - [parcel, package]

contents:
  # \`id\`, \`title\` and \`answer\` are all that a content needs. The id stays for good: options, ratings and reports name it.
  - id: 1
    title: Where is my order?
    # Other ways in which readers ask. The more of their own words, the better it is found.
    alternatives: [Track my parcel, When will my order arrive?]
    answer: "<p>Open the <b>tracking link</b> in your shipping e-mail.</p>"
    categories: [1]
    related: [2]
    # A button of yours can jump here: {"directCall": "order-status"}
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
