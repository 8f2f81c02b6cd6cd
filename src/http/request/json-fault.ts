/** Where a text stops being JSON, and why. */
export type JsonFault = { at: number; problem: string }

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'the end'

const BLANKS = /[ \t\n\r]*/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y

/** Undefined for JSON (RFC 8259). The engine's own messages name the place only sometimes, so it is looked for here. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'value'
  let at = 0
  const afterValue = (): Expected => {
    const inner = open.at(-1)
    return inner === undefined ? 'the end' : inner === '[' ? ', or ]' : ', or }'
  }
  for (;;) {
    at = endOf(BLANKS, text, at) ?? at
    const char = text[at]
    if (char === undefined) return expected === 'the end' ? undefined : { at, problem: 'it ends too early' }
    if (expected === 'value' || expected === 'value or ]') {
      if (char === '[' || char === '{') {
        open.push(char)
        expected = char === '[' ? 'value or ]' : 'name or }'
        at++
        continue
      }
      if (char !== ']' || expected === 'value') {
        const end =
          char === '"' ? endOfString(text, at) : (endOf(NUMBER, text, at) ?? endOf(LITERAL, text, at))
        if (end === undefined) return unexpected(text, at, 'a value')
        if (typeof end === 'object') return end
        at = end
        expected = afterValue()
        continue
      }
    }
    if (expected.startsWith('name') && char === '"') {
      const end = endOfString(text, at)
      if (typeof end === 'object') return end
      at = end
      expected = ':'
      continue
    }
    const next = follow(expected, char, open, afterValue)
    if (next === undefined) return unexpected(text, at, expected)
    expected = next
    at++
  }
}

/** What may come after a punctuation mark; undefined where it may not stand. */
function follow(
  expected: Expected,
  char: string,
  open: ('[' | '{')[],
  afterValue: () => Expected,
): Expected | undefined {
  if (expected === ':') return char === ':' ? 'value' : undefined
  const closes = (char === ']' && expected.endsWith(']')) || (char === '}' && expected.endsWith('}'))
  if (closes) {
    open.pop()
    return afterValue()
  }
  if (char !== ',') return undefined
  if (expected === ', or ]') return 'value'
  return expected === ', or }' ? 'name' : undefined
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function endOfString(text: string, at: number): number | JsonFault {
  const end = endOf(STRING, text, at) ?? at
  const char = text[end]
  if (char === '"') return end + 1
  if (char === undefined) return { at: end, problem: 'a string is not closed' }
  return { at: end, problem: char === '\\' ? 'no such escape' : 'a control character stands in a string' }
}

function unexpected(text: string, at: number, expected: string): JsonFault {
  const [char = ''] = text.slice(at, at + 2)
  return { at, problem: `${JSON.stringify(char)} stands where ${expected} should be` }
}
