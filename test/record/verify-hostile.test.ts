import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
