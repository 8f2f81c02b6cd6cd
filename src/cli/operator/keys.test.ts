import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf } from '../../access/new-operator-key.ts'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-keys-'))
const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
const KEY = /^tbk_[\w-]{43}\n$/

const commands = startCommands()
const keys = (args: readonly string[], more: Record<string, string> = {}) =>
  commands.run({
    args: ['keys', ...args],
    env: { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir, ...more },
    cwd: temporaryDir(),
  })
const make = async (label: string, ...scopes: string[]) => {
  const made = await keys(['make', '--label', label, ...scopes.flatMap((scope) => ['--scope', scope])])
  return { ...made, id: /key (\w{8}),/.exec(made.stderr)?.[1] ?? '', key: made.stdout.trim() }
}
const rows = () => useLedger({ config, clock: systemClock }, ({ operator: book }) => book.keys())

beforeAll(async () => {
  const { close } = await openLedger({ config, clock: systemClock, log: silentLog })
  await close()
})

afterAll(async () => {
  await commands.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('make prints the key alone on stdout, and keeps only its hash', async () => {
  const made = await make('my bot', 'trade', 'admin', 'trade')
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(KEY) })
  expect(made.stderr).toMatch(/^key \w{8}, "my bot", for admin and trade: .*\nit is shown this once/)
  expect(made.stderr).not.toContain(made.key)
  expect(await rows()).toMatchObject([
    { id: made.id, label: 'my bot', scopes: ['admin', 'trade'], digest: digestOf(made.key).toString('hex') },
  ])
  const files = ['ledger.sqlite', 'ledger.sqlite-wal'].map((name) => join(dataDir, name)).filter(existsSync)
  for (const file of files) expect(readFileSync(file).includes(made.key.slice(4))).toBe(false)
})

test('list shows every key and never the key itself; rotate and revoke end one', async () => {
  const old = await make('desk', 'admin')
  const next = await keys(['rotate', old.id, '--grace', '2h'])
  expect(next).toMatchObject({ status: 0, stdout: expect.stringMatching(KEY) })
  expect(next.stdout).not.toContain(old.key)
  expect(next.stderr).toMatch(new RegExp(`"desk", for admin: .*\nkey ${old.id} works until \\d{4}-.*Z\n`))
  const ended = (await rows()).find(({ id }) => id === old.id)
  const leftMs = (ended?.revokedMs ?? 0) - systemClock.now()
  expect(leftMs).toBeGreaterThan(7_000_000)
  expect(leftMs).toBeLessThanOrEqual(7_200_000)

  const { stdout } = await keys(['list'], { TOLLBOOK_OPERATOR_KEY: 'a-key-of-the-environment' })
  expect(stdout).toMatch(/^id +label +scopes +made +last used +revoked\n/)
  expect(stdout).toMatch(new RegExp(`\n${old.id} +desk +admin +\\d{4}\\S+Z +never +from \\d{4}\\S+Z\n`))
  expect(stdout).toMatch(/\nenvironment +TOLLBOOK_OPERATOR_KEY +admin,trade +- +- +-\n$/)
  expect(stdout).not.toMatch(/tbk_|a-key-of|[0-9a-f]{64}/)

  expect(await keys(['rotate', old.id])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/works until .*keys make/),
  })
  expect(await keys(['revoke', old.id])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is revoked'),
  })
  expect(await keys(['revoke', old.id])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/was revoked at .* already/),
  })
  expect((await rows()).find(({ id }) => id === old.id)?.revokedMs).toBeLessThanOrEqual(systemClock.now())
})

test.each([
  [['revoke', 'nothing'], 'there is no key "nothing": ./tollbook keys list shows all of them'],
  [['rotate', 'environment'], 'there is no key "environment"'],
])('%j ends with 1 and says what to do', async (args, message) => {
  expect(await keys(args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(message) })
})

test.each([
  [[], 'keys needs a task: make, list, rotate, revoke or audit'],
  [['show'], 'keys has no task "show"'],
  [['make', '--scope', 'trade'], '--label <name>'],
  [['make', '--label', 'x'], '--scope admin or --scope trade, or both'],
  [['make', '--label', 'x', '--scope', 'read'], 'there is no scope "read": admin or trade'],
  [['make', '--label', '', '--scope', 'trade'], '--label "" must have 1 to 40'],
  [['make', '--label', 'x'.repeat(41), '--scope', 'trade'], 'must have 1 to 40'],
  [['make', '--label', 'a\u001b[31m', '--scope', 'trade'], 'must have 1 to 40'],
  [['make', 'x', '--label', 'x', '--scope', 'trade'], '"x" means nothing here'],
  [['make', '--label', 'x', '--scope', 'trade', '--grace', '1h'], '--grace means nothing to keys make'],
  [['list', 'x'], '"x" means nothing here'],
  [['list', '--label', 'x'], '--label means nothing to keys list'],
  [['rotate'], 'name one key by its id'],
  [['rotate', 'a', 'b'], 'name one key by its id'],
  [['rotate', 'a', '--grace', '1'], '--grace "1" must be a time'],
  [['rotate', 'a', '--grace', '31d'], 'at most 30d'],
  [['rotate', 'a', '--grace', '-1h'], 'grace'],
  [['revoke'], 'name one key by its id'],
  [['audit', 'x'], '"x" means nothing here'],
  [['audit', '--last', '0'], '--last "0" must be a whole number from 1 to 100000'],
  [['audit', '--last', '100001'], '--last "100001" must'],
  [['audit', '--grace', '1h'], '--grace means nothing to keys audit'],
])('%j ends with 2 and says what is wrong', async (args, message) => {
  const { status, stdout, stderr } = await keys(args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).toContain('usage: tollbook keys make')
})

test('audit shows the newest calls, of all or of one key, as a table or as JSON', async () => {
  expect(await keys(['audit'])).toMatchObject({ status: 0, stdout: 'there is no call yet\n' })
  const call = {
    client: '203.0.113.9',
    method: 'GET',
    endpoint: 'trade.book',
    params: undefined,
    status: 200,
  }
  await useLedger({ config, clock: systemClock }, async ({ operator: book }) => {
    book.noteAudit({ ...call, atMs: 0, keyId: 'aabbccdd', requestId: 'r1' })
    book.noteAudit({ ...call, atMs: 1_000, keyId: undefined, status: 401, requestId: 'r2' })
    const act = { ...call, method: 'POST', endpoint: 'trade.buy', params: '{"side":"\u001b[31m"}' }
    await book.beginAudit({ ...act, atMs: 2_000, keyId: 'aabbccdd', requestId: 'r3' })
  })
  const { stdout } = await keys(['audit'])
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['at', 'key', 'client', 'call', 'status', 'request', 'params'],
    ['1970-01-01T00:00:02Z', 'aabbccdd', '203.0.113.9', 'POST trade.buy', 'no end', 'r3', '{"side":"?[31m"}'],
    ['1970-01-01T00:00:01Z', 'none', '203.0.113.9', 'GET trade.book', '401', 'r2', '-'],
    ['1970-01-01T00:00:00Z', 'aabbccdd', '203.0.113.9', 'GET trade.book', '200', 'r1', '-'],
    [''],
  ])
  const { stdout: json } = await keys(['audit', '--key', 'aabbccdd', '--json', '--last', '1'])
  expect(JSON.parse(json)).toMatchObject({ key_id: 'aabbccdd', status: null, request_id: 'r3' })
  expect(await keys(['audit', '--key', 'nobody'])).toMatchObject({
    status: 0,
    stdout: 'there is no call with the key nobody: ./tollbook keys list shows the ids\n',
  })
})

test('without a ledger nothing is made', async () => {
  const empty = temporaryDir()
  const refused = await keys(['make', '--label', 'x', '--scope', 'trade'], { TOLLBOOK_DATA_DIR: empty })
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/there is no ledger at .*start the service once/),
  })
  expect(existsSync(join(empty, 'ledger.sqlite'))).toBe(false)
})

test('a ledger of another mode is left alone', async () => {
  const before = await rows()
  const refused = await keys(['make', '--label', 'x', '--scope', 'trade'], { TOLLBOOK_MODE: 'paper' })
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('is a ledger of sandbox mode'),
  })
  expect(await rows()).toEqual(before)
})
