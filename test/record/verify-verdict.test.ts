import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkRecord } from '../../src/cli/verify-record/check-record.ts'
import type { Mode } from '../../src/config/variables/variable.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { makeRekeyed } from '../../src/testing/record/change-key.ts'
import { createRecordWorld, FIRST_S, testKey } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { copyOf, type Doc, resign, toDoc, toReplies } from '../../src/testing/record/tampering.ts'
import { serveRecord, verifyRecord } from '../../src/testing/record/verify-command.ts'

const KEY = testKey(7)
const at = (doc: Doc) => ['--at', doc.heads.at(-1)?.timestamp ?? '']

function toFile(doc: Doc): string {
  const file = join(temporaryDir(), 'record.ndjson')
  writeFileSync(
    file,
    toReplies(doc)
      .map((reply) => JSON.stringify(reply))
      .join('\n'),
  )
  return file
}

function savedHead(doc: Doc, nth: number): string[] {
  const file = join(temporaryDir(), 'head.json')
  writeFileSync(file, JSON.stringify(doc.heads.at(nth)))
  return ['--head', file]
}

describe('the verdict', () => {
  let plain: Doc
  let rekeyed: Doc
  beforeAll(async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(8)
    plain = toDoc(await fetchAll(askOf(world)))
    rekeyed = await makeRekeyed(4)
  })

  test('is 0 when all that can be checked was, and names what nobody can', async () => {
    const { text, code } = await verifyRecord(toFile(plain), ...at(plain), ...savedHead(plain, 3))
    expect(text).toMatch(/^a record of the SANDBOX: simulated windows\n/)
    expect(text).toContain('proven: it continues the head of')
    expect(text).toContain(`proven: it goes on until now, ${at(plain)[1]} by the time given with --at`)
    expect(text).toContain('note: there are no anchors')
    expect(text).not.toContain('not checked')
    expect(text).toMatch(/\ntrue: a record of the SANDBOX: simulated windows\n$/)
    expect(code).toBe(0)
  })

  test('is 3 without a head that was saved, or without the time', async () => {
    expect(await verifyRecord(toFile(plain), ...at(plain))).toMatchObject({
      code: 3,
      text: expect.stringContaining('not checked: that it is the record which others saw'),
    })
    expect(await verifyRecord(toFile(plain), ...savedHead(plain, 3))).toMatchObject({
      code: 3,
      text: expect.stringContaining('not checked: whether it goes on until now'),
    })
  })

  test('says the clock of this machine where that was asked', async () => {
    const world = createRecordWorld({ nowMs: Math.floor(Date.now() / 300_000) * 300_000 - 600_000 })
    await world.keeper.start()
    await world.to(Date.now())
    const { text, code } = await verifyRecord(await serveRecord(askOf(world)))
    expect(text).toContain('by the clock of this machine')
    expect(code).toBe(3)
  })

  test('of an empty record proves nothing', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    const { text, code } = await verifyRecord(await serveRecord(askOf(world)))
    expect(text).toContain('not checked: anything: there are no leaves yet')
    expect(text).toMatch(/\nnothing was checked: an empty record\n$/)
    expect(text).not.toContain('proven')
    expect(code).toBe(3)
    const emptied = await verifyRecord(await serveRecord(askOf(world)), ...savedHead(plain, 0))
    expect(emptied).toMatchObject({
      code: 1,
      text: expect.stringContaining('fewer than those of the saved head'),
    })
  })

  test('names the mode, and heads that do not state it', async () => {
    const withModes = (modeAt: (n: number) => Mode | undefined): Doc => {
      const doc = copyOf(plain)
      doc.heads.forEach((head, n) => {
        const mode = modeAt(n)
        if (mode) head.mode = mode
        else delete head.mode
      })
      resign(doc, KEY)
      return { ...doc, figures: plain.figures, page: { ...doc.page, totals: plain.page.totals } }
    }
    const check = (doc: Doc) => verifyRecord(toFile(doc), ...at(doc), ...savedHead(doc, -1))
    const old = await check(withModes(() => undefined))
    expect(old.text).toMatch(/^a record that does not state its mode\n/)
    expect(old).toMatchObject({ code: 3, text: expect.stringContaining('not checked: of which mode it is') })
    const half = await check(withModes((n) => (n < 3 ? undefined : 'live')))
    expect(half.text).toMatch(/^a record of LIVE mode/)
    expect(half).toMatchObject({ code: 0, text: expect.stringContaining('note: mode not stated in 3 heads') })
    const both = await check(withModes((n) => (n === 4 ? 'sandbox' : 'live')))
    expect(both).toMatchObject({
      code: 1,
      text: expect.stringMatching(/head \d+ is of the mode sandbox, what stands before it of live/),
    })
    const unknown = await check(withModes(() => 'demo' as Mode))
    expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining('the mode demo is none') })
    expect(await check(withModes((n) => (n > 3 ? undefined : 'live')))).toMatchObject({ code: 1 })
  })

  test("says where the key was replaced, and where that was without the old key's word", async () => {
    const { text, code } = await verifyRecord(toFile(rekeyed), ...at(rekeyed), ...savedHead(rekeyed, 0))
    expect(text).toMatch(/proven: the key was replaced with the old key's word, leaf \d+/)
    expect(text).toMatch(/not checked: key replaced without the old key's word, leaf \d+/)
    expect(code).toBe(3)
    const later = await verifyRecord(toFile(rekeyed), ...at(rekeyed), ...savedHead(rekeyed, -1))
    expect(later).toMatchObject({ code: 0, text: expect.stringContaining('; you saved a head after it') })
  })

  test('is JSON for programs', async () => {
    const { text, code } = await verifyRecord(toFile(plain), '--json')
    expect(JSON.parse(text)).toMatchObject({
      exit_code: 3,
      mode: 'sandbox',
      proven: [expect.any(String), expect.any(String)],
      not_checked: [expect.stringContaining('others saw'), expect.stringContaining('until now')],
      untrue: [],
      leaves: plain.leaves.length,
      figures: { entries: 32 },
    })
    expect(code).toBe(3)
    const doc = copyOf(plain)
    doc.leaves.splice(3, 1)
    const false_ = await verifyRecord(toFile(doc), '--json')
    expect(JSON.parse(false_.text)).toMatchObject({ exit_code: 1, proven: [], untrue: expect.any(Array) })
    expect(false_.code).toBe(1)
  })

  test('of figures that were not compared does not call them proven', async () => {
    const doc = copyOf(plain)
    const { unchecked, untrue } = await checkRecord(toReplies({ ...doc, figures: undefined }))
    expect([unchecked, untrue]).toEqual([['the figures of /record/calibration: they were not given'], []])
    const [, page] = toReplies(doc) as [unknown, Doc['page']]
    const bare = await checkRecord([doc.figures, { ...page, totals: undefined }])
    expect([bare.unchecked, bare.untrue]).toEqual([['the totals of /record: they were not given'], []])
  })

  test('says of how many leaves the figures are', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(2)
    const [figures] = await fetchAll(askOf(world))
    await world.windows(6, FIRST_S + 600)
    const doc = { ...toDoc(await fetchAll(askOf(world))), figures }
    expect(await verifyRecord(toFile(doc), ...at(doc), ...savedHead(doc, 3))).toMatchObject({
      code: 0,
      text: expect.stringContaining(
        `note: /record/calibration has the figures of the first ${figures.tree_size} of ${doc.leaves.length} leaves`,
      ),
    })
  })

  test('of figures that were published for no leaves at all is not believed', async () => {
    const doc = copyOf(plain)
    if (doc.figures) doc.figures.tree_size = 0
    expect(await verifyRecord(toFile(doc))).toMatchObject({
      code: 1,
      text: expect.stringContaining('untrue: the figures of all are'),
    })
  })
})
