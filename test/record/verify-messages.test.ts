import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { serveOnce, serveRecord, verifyRecord } from '../../src/testing/record/verify-command.ts'

const STACK = /\n\s+at |Error:/

async function anchoredWorld() {
  const world = createRecordWorld({
    anchor: { anchor: async () => ({ network: 'eip155:8453', tx: `0x${'5e'.repeat(32)}` }) },
  })
  await world.keeper.start()
  await world.windows(4)
  return { world, now: ['--at', new Date(world.clock.now()).toISOString()] }
}

/** The lines of a file that `--export` writes. */
async function exportedLines(): Promise<string[]> {
  const { world } = await anchoredWorld()
  return (await fetchAll(askOf(world), 10)).map((reply) => JSON.stringify(reply))
}

async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}`
}

const answering = (status: number, type: string, body: string) =>
  serveOnce((_, response) => response.writeHead(status, { 'content-type': type }).end(body))

describe('an address that holds no record', () => {
  const cases: [string, () => Promise<string>, RegExp][] = [
    ['refuses', closedAddress, /nothing listens there: check host and port.*\(ECONNREFUSED\)/],
    [
      'has an unknown name',
      async () => 'http://no-such-host.invalid',
      /nobody knows this host name.*\((ENOTFOUND|EAI_AGAIN)\)/,
    ],
    [
      'speaks no TLS',
      async () => (await answering(200, 'text/plain', '')).replace('http', 'https'),
      /no secure connection.*\(\w*SSL\w*\)/,
    ],
    [
      'cuts the connection',
      () => serveOnce((request) => request.socket.destroy()),
      /the connection was cut: try again/,
    ],
    [
      'answers 404',
      () => answering(404, 'application/json', '{}'),
      /answers 404: no record is kept there; name the base address/,
    ],
    [
      'is busy',
      () => answering(503, 'application/problem+json', '{"detail":"the record is being read"}'),
      /answers 503: the record is being read/,
    ],
    [
      'is a web site',
      () => answering(200, 'text/html', '<!doctype html><p>hello'),
      /answers a web page, not JSON: name the base address/,
    ],
    ['answers half of it', () => answering(200, 'application/json', '{"overall":'), /answers text, not JSON/],
    [
      'is another service',
      () => answering(200, 'application/json', '{"ok":true}'),
      /answers JSON that is no record/,
    ],
    [
      'answers nothing at all',
      () => answering(200, 'application/json', 'null'),
      /answers JSON that is no record/,
    ],
  ]
  test.each(cases)('that %s is named, with the cause and what to do', async (_, open, message) => {
    const url = await open()
    const { text, errors, code } = await verifyRecord(url)
    expect(errors).toMatch(message)
    expect(errors).toContain(`tollbook: ${url}/record/calibration`)
    expect(errors).not.toMatch(STACK)
    expect([text, code]).toEqual(['', 2])
  })

  test('and one that does not answer in time', async () => {
    const { timeout } = AbortSignal
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50))
    const { errors, code } = await verifyRecord(await serveOnce(() => {}))
    spy.mockRestore()
    expect(errors).toMatch(/no answer within 30 s: try again later/)
    expect(code).toBe(2)
  })
})

describe('a file that holds no record', () => {
  const cases: [string, (file: string, lines: string[]) => void, RegExp][] = [
    ['is not there', () => {}, /there is no file .*: name one that --export wrote, or an address/],
    ['is a directory', (file) => mkdirSync(file), /is a directory: name a file in it/],
    ['is empty', (file) => writeFileSync(file, ''), /is empty: export the record again/],
    ['is something else', (file) => writeFileSync(file, '{"a":1}\n'), /is not a file that --export wrote/],
    ['is no JSON', (file) => writeFileSync(file, 'hello\n'), /is not a file that --export wrote/],
    [
      'is cut off in a line',
      (file, lines) => writeFileSync(file, lines.join('\n').slice(0, -40)),
      /is cut off or damaged in line \d+: export/,
    ],
    [
      'is cut off after a line',
      (file, lines) => writeFileSync(file, lines.slice(0, -1).join('\n')),
      /is cut off after line \d+: export/,
    ],
  ]
  test.each(cases)('since it %s is named, with what to do', async (_, make, message) => {
    const file = join(temporaryDir(), 'record.ndjson')
    make(file, await exportedLines())
    const { text, errors, code } = await verifyRecord(file)
    expect(errors).toMatch(message)
    expect(errors).toContain(file)
    expect(errors).not.toMatch(STACK)
    expect([text, code]).toEqual(['', 2])
  })

  test.each([
    ['missing', undefined, /there is no file .*: name one that --save-head wrote/],
    ['another thing', '{"tree_size":"4"}', /is not a head that --save-head wrote/],
  ])('a saved head that is %s', async (_, content, message) => {
    const head = join(temporaryDir(), 'head.json')
    if (content) writeFileSync(head, content)
    const { errors, code } = await verifyRecord('record.ndjson', '--head', head)
    expect([errors, code]).toEqual([expect.stringMatching(message), 2])
  })
})

test.each([
  [[], /name one record to check/],
  [['a', 'b'], /name one record to check/],
  [['a', '--nothing'], /Unknown option '--nothing'/],
  [['a', '--at', 'noon'], /--at noon is no time: write it as in 2026-/],
  [['a', '--rpc', 'localhost:8545'], /--rpc localhost:8545 is no address/],
])('the options %j print the usage', async (args, message) => {
  const { text, errors, code } = await verifyRecord(...args)
  expect(errors).toMatch(message)
  expect(errors).toMatch(/usage: tollbook verify-record .*[\s\S]*--at <time>/)
  expect([text, code]).toEqual(['', 2])
})

describe('a node that cannot be asked leaves the anchors unchecked', () => {
  test.each<[string, () => Promise<string>, RegExp]>([
    ['refuses', closedAddress, /nothing listens there/],
    ['is a web site', () => answering(200, 'text/html', '<html>'), /answers a web page, not JSON/],
    [
      'is no node',
      () => answering(200, 'application/json', '{"error":{"message":"no such method"}}'),
      /answers eth_chainId with no such method: name a node/,
    ],
  ])('since it %s', async (_, open, message) => {
    const { world, now } = await anchoredWorld()
    const rpc = await open()
    const { text, errors, code } = await verifyRecord(await serveRecord(askOf(world)), ...now, '--rpc', rpc)
    expect(text).toMatch(new RegExp(`not checked: its 1 anchor: ${rpc}.*${message.source}`))
    expect([errors, code]).toEqual(['', 3])
  })
})

test('an export appears once it is whole', async () => {
  const { world, now } = await anchoredWorld()
  const [whole, part] = ['whole', 'part'].map((name) => join(temporaryDir(), name)) as [string, string]
  await verifyRecord(await serveRecord(askOf(world)), ...now, '--export', whole)
  expect(await verifyRecord(whole, ...now)).toMatchObject({
    code: 3,
    text: expect.stringContaining('true as far'),
  })
  const ask = askOf(world)
  const broken = await serveRecord((product, params) =>
    'from' in (params ?? {}) ? Promise.resolve({ ok: false }) : ask(product, params),
  )
  expect(await verifyRecord(broken, ...now, '--export', part)).toMatchObject({ code: 2 })
  expect(() => readFileSync(part)).toThrow('ENOENT')
})

test('a reader that has seen enough is no failure', async () => {
  const file = join(temporaryDir(), 'record.ndjson')
  writeFileSync(file, (await exportedLines()).join('\n'))
  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
  const command = `{ sleep 0.3; "$0" "$1" verify-record "$2"; echo "exit $?" >&2; } | true`
  const { stderr } = await promisify(execFile)('sh', ['-c', command, process.execPath, main, file])
  expect(stderr).toBe('exit 3\n')
})
