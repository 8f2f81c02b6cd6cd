import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clone } from '../clone.ts'
import { LIVE } from '../live.ts'
import { type Json, refusedStart, type Service, startService } from '../service.ts'
import type { Step } from '../step.ts'

export const trustSteps: Step[] = [
  {
    item: 1,
    says: 'every mode has a data directory of its own',
    async walk({ clone }) {
      assert.ok(existsSync(join(clone.dir, 'data/sandbox/ledger.sqlite')))
      assert.ok(!existsSync(join(clone.dir, 'data/ledger.sqlite')))
      return 'data/sandbox'
    },
  },
  {
    item: 1,
    says: 'paper and live refuse the directory of a sandbox, and leave it as it is',
    async walk({ clone }) {
      const dir = await soldDirectory(clone)
      const before = fingerprint(dir)
      const refusals = []
      for (const env of [{ TOLLBOOK_MODE: 'paper' }, LIVE])
        refusals.push(await refusedStart(clone, { ...env, TOLLBOOK_DATA_DIR: dir }))
      for (const refusal of refusals) assert.match(refusal, /sandbox|play money/)
      assert.equal(fingerprint(dir), before)
      return refusals.map((refusal) => refusal.trim()).join(' · ')
    },
  },
  {
    item: 1,
    says: 'a copied directory is refused until it is adopted',
    async walk({ clone }) {
      const dir = await soldDirectory(clone)
      const copy = join(clone.folder('copy'), 'data')
      cpSync(dir, copy, { recursive: true, preserveTimestamps: true })
      const env = { TOLLBOOK_DATA_DIR: copy }
      const refusal = await refusedStart(clone, env)
      assert.match(refusal, /copy/)
      assert.match(refusal, /adopt/)
      const adopted = await clone.tollbook(['adopt', '--yes'], { env })
      assert.equal(adopted.code, 0, adopted.err)
      assert.match(adopted.out + adopted.err, /two goods for one payment|never serve/i)
      await (await startService(clone, { env })).stop()
      return refusal.trim()
    },
  },
  {
    item: 2,
    says: 'a backup of the running service starts elsewhere, with receipts, replies and record',
    async walk({ clone }) {
      const old = { TOLLBOOK_DATA_DIR: clone.folder('from') }
      const from = await startService(clone, { env: old })
      const [file, passphrase] = [
        join(clone.folder('backup'), 'backup'),
        join(clone.folder('pass'), 'phrase'),
      ]
      writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 })
      const { id } = await buy(clone, from)
      const { receipt_key: key } = await from.json('/x402/status')
      const made = await clone.tollbook(['backup', file, '--passphrase-file', passphrase], { env: old })
      assert.equal(made.code, 0, made.err)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      await from.stop()
      const env = { TOLLBOOK_DATA_DIR: join(clone.folder('into'), 'data') }
      const restored = await clone.tollbook(['restore', file, '--passphrase-file', passphrase], { env })
      assert.equal(restored.code, 0, restored.err)
      const into = await startService(clone, { env })
      try {
        assert.equal((await into.get(`/x402/receipts/${id}`)).status, 200)
        assert.equal((await into.json('/x402/status')).receipt_key, key)
        return made.out.trim().split('\n').join(' ')
      } finally {
        await into.stop()
      }
    },
  },
  {
    item: 2,
    says: 'a damaged key is refused with the right advice; a lost one is replaced by an entry of the record',
    async walk({ clone }) {
      const dir = await soldDirectory(clone)
      const env = { TOLLBOOK_DATA_DIR: dir }
      const keyFile = join(dir, 'service-key.json')
      writeFileSync(keyFile, 'x')
      const refusal = await refusedStart(clone, env)
      assert.match(refusal, /restore/)
      assert.match(refusal, /rotate-key --lost/)
      assert.equal(readFileSync(keyFile, 'utf8'), 'x')
      const rotated = await clone.tollbook(['rotate-key', '--lost'], { env })
      assert.equal(rotated.code, 0, rotated.err)
      const service = await startService(clone, { env })
      try {
        const { out } = await clone.tollbook(['verify-record', service.url])
        assert.match(out, /without the old key's word/)
        return rotated.out.trim().split('\n').join(' ')
      } finally {
        await service.stop()
      }
    },
  },
  {
    item: 4,
    says: 'log lines name product, way in, payer and client, and nothing secret',
    async walk({ clone, sandbox }) {
      await clone.tollbook(['buy', '/price/ETH', '--url', sandbox.url])
      const sale: Json = (await sandbox.lines()).findLast(({ via }: Json) => via === 'paid')
      assert.ok(sale?.product && sale.payer && sale.client, JSON.stringify(sale))
      assert.ok(sale.payer.length < 20, sale.payer)
      assert.doesNotMatch(await sandbox.log(), /eyJ|private_key|secret_key/)
      return `${sale.product} ${sale.via} ${sale.payer} ${sale.client}`
    },
  },
  {
    item: 4,
    says: 'revenue pages can be closed',
    async walk({ clone, sandbox }) {
      assert.equal((await sandbox.get('/x402/stats')).status, 200)
      const env = { TOLLBOOK_DATA_DIR: clone.folder('closed'), TOLLBOOK_PUBLIC_REVENUE: 'off' }
      const service = await startService(clone, { env })
      try {
        const { status } = await service.get('/x402/stats')
        assert.equal(status, 401)
        return 'TOLLBOOK_PUBLIC_REVENUE=off: 401 without the operator key'
      } finally {
        await service.stop()
      }
    },
  },
]

/** Walked last: the first window of the record must have begun. */
export const recordSteps: Step[] = [
  {
    item: 1,
    says: 'head of the record and receipts name the mode in what is signed',
    async walk({ clone, sandbox }) {
      const { mode } = await buy(clone, sandbox)
      const head = await untilRecorded(sandbox)
      assert.deepEqual([mode, head.mode], ['sandbox', 'sandbox'])
      return 'mode=sandbox in both'
    },
  },
  {
    item: 3,
    says: 'verify-record names what it checked and what not, in words and exit code',
    async walk({ clone, sandbox }) {
      const head = join(clone.folder('head'), 'head.json')
      await untilRecorded(sandbox)
      const first = await clone.tollbook(['verify-record', sandbox.url, '--save-head', head])
      assert.equal(first.code, 3, first.out + first.err)
      assert.match(first.out, /SANDBOX/)
      assert.match(first.out, /not checked/)
      const { evm } = await sandbox.json('/sandbox/wallets')
      const whole = await clone.tollbook(['verify-record', sandbox.url, '--head', head, '--rpc', evm.rpc_url])
      assert.equal(whole.code, 0, whole.out + whole.err)
      return 'exit code 3 without node and head, 0 with both'
    },
  },
]

/** Of a service that has sold something and was stopped. */
async function soldDirectory(clone: Clone): Promise<string> {
  const dir = join(clone.folder('sold'), 'data')
  mkdirSync(dir)
  const service = await startService(clone, { env: { TOLLBOOK_DATA_DIR: dir } })
  await buy(clone, service)
  await service.stop()
  return dir
}

/** Buys once; returns what the service signed about it. */
async function buy(clone: Clone, service: Service): Promise<Json> {
  const { out, err } = await clone.tollbook(['buy', '/price/BTC', '--url', service.url])
  const payload = /"signature":"[\w-]+\.([\w-]+)\./.exec(out)?.[1]
  assert.ok(payload, err)
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** The record begins with the window after the start. */
const RECORDED_WITHIN_MS = 400_000

async function untilRecorded(sandbox: Service): Promise<Json> {
  const untilMs = performance.now() + RECORDED_WITHIN_MS
  for (;;) {
    const { head, newest_anchor } = await sandbox.json('/record')
    if (head && newest_anchor) return head
    assert.ok(performance.now() < untilMs, 'the record has no head, or no anchor')
    await sleep(1_000)
  }
}

/** Content and permissions of every file that a start must not touch. */
function fingerprint(dir: string): string {
  const names = readdirSync(dir).filter((name) => !/^service\.lock|-(wal|shm)$/.test(name))
  return names
    .map((name) => `${name} ${statSync(join(dir, name)).mode} ${sha256(join(dir, name))}`)
    .join('\n')
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
