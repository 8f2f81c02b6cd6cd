/** One field of an example reply, as a person reads it. */
export type ExampleField = { name: string; value: string }

const FIELDS_LIMIT = 10
const VALUE_LIMIT = 48

/** The top fields of a reply; of a list, those of its first entry. */
export function exampleFields(example: unknown): ExampleField[] {
  const shown: unknown = Array.isArray(example) ? example[0] : example
  if (typeof shown !== 'object' || shown === null) return []
  return Object.entries(shown)
    .slice(0, FIELDS_LIMIT)
    .map(([name, value]) => ({
      name,
      value: shorten(typeof value === 'string' ? value : JSON.stringify(value)),
    }))
}

function shorten(text: string): string {
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT - 1)}…` : text
}
