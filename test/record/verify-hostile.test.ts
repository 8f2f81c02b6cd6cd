import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { createRecordWorld, testKey } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll, type Head } from '../../src/testing/record/replies.ts'
import { copyOf, type Doc, edit, toDoc, toReplies } from '../../src/testing/record/tampering.ts'
import { serveOnce, verifyRecord } from '../../src/testing/record/verify-command.ts'

const KEY = testKey(7)
/** Anything but printable characters and the ends of our own lines. */
const CODES = /[^\P{C}\n]|[\u2028\u2029]/u
const FORGED_LINES = '\u001b[2K\u009b8m\r\nproven: all of it\u2028true: a record of LIVE mode\u202e'

let plain: Doc
beforeAll(async () => {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(4)
  plain = toDoc(await fetchAll(askOf(world)))
})

function toFile(replies: unknown[]): string {
  const file = join(temporaryDir(), 'record.ndjson')
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  return file
}

/** Every head as `change` makes it, rightly signed. */
function withHeads(change: (head: Head) => object): Doc {
  const doc = copyOf(plain)
  doc.heads = doc.heads.map((head) => {
    const { signature, ...said } = { ...head, ...change(head) }
    const text = canonicalJson({ what: 'tollbook-record-head-v1', ...said })
    return { ...said, signature: KEY.sign(text).toString('base64url') }
  })
  doc.page.head = doc.heads.at(-1) as Head
  return doc
}

describe('text of the server forges no lines and reaches no terminal', () => {
  const cases: [string, () => Doc][] = [
    [
      'a time',
      () =>
        withHeads(({ timestamp }) => ({
          timestamp: `${new Date(timestamp).toUTCString()} (${FORGED_LINES})`,
        })),
    ],
    ['a mode', () => withHeads(() => ({ mode: FORGED_LINES }))],
    ['an id', () => withLeaf({ id: FORGED_LINES })],
    ['a coin', () => withLeaf({ coin: FORGED_LINES })],
    ['an object for a coin', () => withLeaf({ coin: { toString: FORGED_LINES } })],
    ['a window', () => withLeaf({ window_start: FORGED_LINES })],
    ['a key', () => ({ ...plain, heads: plain.heads.map((head) => ({ ...head, key_id: FORGED_LINES })) })],
    [
      'an anchor',
      () => ({
        ...plain,
        page: { ...plain.page, anchors: [{ tree_size: 4, root_hash: '', tx: FORGED_LINES }] },
      }),
    ],
    [
      'a figure',
      () => ({
        ...plain,
        figures: { ...plain.figures, overall: { [FORGED_LINES]: FORGED_LINES } } as Doc['figures'],
      }),
    ],
  ]
  test.each(cases)('as %s', async (_, make) => {
    const file = toFile(toReplies(make()))
    const { text, errors, code } = await verifyRecord(file)
    expect([errors, code]).toEqual(['', 1])
    expect(text).not.toMatch(CODES)
    expect(text).not.toMatch(/^(proven|true)/m)
    const json = await verifyRecord(file, '--json')
    expect(json.text).toMatch(/^[\x20-\x7e]+\n$/)
    expect(JSON.parse(json.text)).toMatchObject({ exit_code: 1, proven: [] })
  })

  test('as the detail of an error, which is also cut short', async () => {
    const detail = FORGED_LINES + 'x'.repeat(1e6)
    const url = await serveOnce((_, response) => response.writeHead(500).end(JSON.stringify({ detail })))
    const { text, errors, code } = await verifyRecord(url)
    expect([text, code]).toEqual(['', 2])
    expect(errors).toMatch(/^tollbook: .*answers 500: .*\n$/)
    expect(errors).not.toMatch(CODES)
    expect(errors.length).toBeLessThan(500)
  })
})

function withLeaf(change: object): Doc {
  const doc = copyOf(plain)
  edit(doc, 0, (leaf) => Object.assign(leaf, change))
  return doc
}

test.each(['constructor', '__proto__', '', null, 0])('the mode %j is none that is known', async (mode) => {
  const { text, code } = await verifyRecord(toFile(toReplies(withHeads(() => ({ mode })))))
  expect(text).toContain('is none that is known')
  expect(code).toBe(1)
})

/** Answers with the figures of the honest record, and then with what `answer` makes of the place that is asked for. */
function servePages(answer: (from: number, response: ServerResponse) => unknown): Promise<string> {
  return serveOnce((request, response) => {
    const from = new URL(request.url ?? '/', 'http://localhost').searchParams.get('from')
    if (from === null) return void response.end(JSON.stringify(plain.figures))
    const body = answer(Number(from), response)
    if (body) response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}
const page = () => toReplies(plain)[1] as object
const SPACES = Buffer.alloc(2 ** 20, ' ')

describe('a server that never ends', () => {
  const cases: [string, Parameters<typeof servePages>[0], RegExp][] = [
    [
      'empty pages',
      (from) => ({
        ...page(),
        ...(from && { entries: [], heads: [] }),
        next: from ? from + 1 : plain.leaves.length,
      }),
      /from=\d+&limit=1000: next is \d+ after 0 entries: expected \d+, or null at the end/,
    ],
    [
      'pages that jump',
      (from) => ({ ...page(), next: from + 1_000_000 }),
      /next is 1000000 after \d+ entries/,
    ],
    ['the same page', () => ({ ...page(), next: 0 }), /next is 0 after \d+ entries/],
    [
      'a body without an end',
      (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(SPACES));
        }
        response.on('drain', write)
        write()
      },
      /answers with more than 32 MB: it is no record/,
    ],
    [
      'a small body that is large when unpacked',
      (_, response) => {
        const zipped = gzipSync(Buffer.alloc(2 ** 26, ' '))
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped)
      },
      /answers with more than 32 MB: it is no record/,
    ],
    [
      'brackets',
      () =>
        JSON.stringify(page()).replace('"totals":{', `"totals":{"x":${'['.repeat(1e5)}${']'.repeat(1e5)},`),
      /answers JSON that is nested deeper than any record, or has numbers beyond all bounds/,
    ],
    [
      'numbers',
      () => JSON.stringify(page()).replace('"hits":', '"hits":1e999,"x":'),
      /numbers beyond all bounds/,
    ],
  ]
  test.each(cases)('with %s is left', async (_, answer, message) => {
    const url = await servePages(answer)
    const { text, errors, code } = await verifyRecord(url)
    expect(errors).toMatch(message)
    expect(errors).toContain(`tollbook: ${url}/record?from=`)
    expect([text, code]).toEqual(['', 2])
  })

  test('with an enormous key is not waited for', async () => {
    const key_id = `did:key:z6Mk${'k'.repeat(3e5)}`
    const heads = plain.heads.map((head) => ({ ...head, key_id }))
    const url = await servePages(() => ({ ...page(), heads, key_id, head: heads.at(-1) }))
    const startedMs = performance.now()
    const { text, code } = await verifyRecord(url)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
    expect(text).toContain('untrue: head 4 is not signed with the key of the record')
    expect(text.length).toBeLessThan(20_000)
    expect(code).toBe(1)
  })

  test('with untrue leaves is left after some of them', async () => {
    const leaf = { kind: 'missed', id: 'x' }
    const url = await servePages((from) => ({
      ...page(),
      entries: Array.from({ length: 1_000 }, (_, n) => ({ index: from + n, leaf })),
      heads: [],
      next: from + 1_000,
    }))
    const { text, code } = await verifyRecord(url)
    expect(text).toContain('UNTRUE in')
    expect(code).toBe(1)
  })
})

describe('a malformed record is untrue, in plain words', () => {
  const parts = [null, 5, 'x', {}, [], { index: 0 }, { tree_size: 4 }].flatMap(
    (value): [string, unknown, string][] => [
      ['entries', value, 'an entry with index, leaf'],
      ['heads', value, 'a head with tree_size, '],
      ['anchors', value, 'an anchor with tree_size, '],
    ],
  )
  test.each(parts)('%s of %j', async (name, value, expected) => {
    const { text, errors, code } = await verifyRecord(toFile([plain.figures, { ...page(), [name]: [value] }]))
    expect(text).toContain(`untrue: /record?from=0: ${name}[0] is malformed: expected ${expected}`)
    expect(text).not.toMatch(/TypeError|undefined|Cannot/)
    expect([errors, code]).toEqual(['', 1])
  })

  test.each([
    ['a head', { head: 5 }],
    ['totals', { totals: 'x' }],
    ['a key', { key_id: null }],
    ['former keys', { former_keys: 5 }],
  ])('%s', async (_, change) => {
    const { errors, code } = await verifyRecord(toFile([plain.figures, { ...page(), ...change }]))
    expect([errors, code]).toEqual(['', 1])
  })

  test.each([null, 5, 'x', {}])('figures of a coin that are %j', async (coin) => {
    const { text, code } = await verifyRecord(toFile([{ ...plain.figures, coins: [coin] }, page()]))
    expect(text).toContain('untrue: the figures are published of the coins')
    expect(code).toBe(1)
  })

  test.each(['commit', 'missed', 'reveal'])('a %s leaf without its members', async (kind) => {
    const entries = [{ index: 0, leaf: { kind } }]
    const { text, errors, code } = await verifyRecord(toFile([plain.figures, { ...page(), entries }]))
    expect(text).toMatch(/untrue: leaf 0/)
    expect(text).not.toMatch(/TypeError|Cannot/)
    expect([errors, code]).toEqual(['', 1])
  })
})
