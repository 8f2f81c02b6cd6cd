import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { toConfigText } from '../../bot/config/stored-config.ts'
import { DEFAULT_CONFIG } from '../../bot/trading-config.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { Objection } from '../../ledger/identity/objections.ts'
import { openDatabase } from '../../ledger/postgres/database.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { rotateSharedKey } from '../rotate-key.ts'
import { adoptDatabase } from './adopt-database.ts'
import { openLedger } from './open-ledger.ts'
import { useLedger } from './use-ledger.ts'

afterAll(dropSchemas)

const OTHER_PAYEE = { TOLLBOOK_PAY_TO_EVM: `0x${'d'.repeat(40)}` }

/** A ledger in a database that was served from once. */
async function served(
  work: (ledger: Awaited<ReturnType<typeof openLedger>>) => Promise<unknown> = async () => {},
) {
  const url = await freshSchema()
  const dataDir = temporaryDir()
  const configOf = (env = {}, dir = dataDir) =>
    readConfig({ ...liveEnvironment, TOLLBOOK_DATA_DIR: dir, DATABASE_URL: url, ...env })
  const serve = async (config = configOf(), use = work) => {
    const ledger = await openLedger({ config, clock: systemClock, log: silentLog })
    try {
      await use(ledger)
      return await ledger.openKey()
    } finally {
      await ledger.close()
    }
  }
  const key = await serve()
  const asked: Objection['kind'][] = []
  const adopt = (config = configOf(), yes = true) =>
    adoptDatabase(
      { config, url, clock: systemClock },
      {
        confirm: async (objections) => {
          asked.push(...objections.map(({ kind }) => kind))
          return yes
        },
      },
    )
  return {
    url,
    dataDir,
    configOf,
    serve: (config = configOf()) => serve(config, async () => {}),
    key,
    adopt,
    asked,
  }
}

describe.skipIf(isPostgresMissing)('a ledger in a database', () => {
  test('that is a copy is adopted once somebody agrees, and its bot trades with simulated money', async () => {
    const live = toConfigText({ ...DEFAULT_CONFIG, simMode: false })
    const world = await served(({ store }) =>
      store.bot.addConfig({ version: 1, atMs: 1, by: 'me', text: live }),
    )
    expect(await world.adopt()).toBe('nothing to adopt')
    const database = openDatabase(world.url)
    await database.query(`UPDATE ledger_identity SET place = replace(place, '"table":"', '"table":"9')`)
    await database.close()
    await expect(world.serve()).rejects.toThrow(/is a copy of the ledger at .*run .\/tollbook adopt/)
    expect(await world.adopt(world.configOf(), false)).toBe('refused')
    await expect(world.serve()).rejects.toThrow(/is a copy/)
    expect(await world.adopt()).toBe('adopted, no longer live')
    expect(world.asked).toEqual(['copy', 'copy'])
    expect((await world.serve()).id).toBe(world.key.id)
  })

  test('that was put back and adopted, and the one that it was made of, are copies of each other', async () => {
    const world = await served()
    const elsewhere = temporaryDir()
    cpSync(join(world.dataDir, 'service-key.json'), join(elsewhere, 'service-key.json'))
    await world.serve(world.configOf({}, elsewhere))
    // As a dump makes it: new tables with the old rows.
    const database = openDatabase(world.url)
    await database.exec(`CREATE TABLE original (LIKE ledger_identity INCLUDING ALL);
      INSERT INTO original SELECT * FROM ledger_identity; ALTER TABLE ledger_identity RENAME TO kept;
      ALTER TABLE original RENAME TO ledger_identity`)
    const changePlaces = () =>
      database.exec(`ALTER TABLE ledger_identity RENAME TO other; ALTER TABLE kept RENAME TO ledger_identity;
        ALTER TABLE other RENAME TO kept`)
    expect(await world.adopt()).toBe('adopted')
    await world.serve()
    // Another machine goes on once it is told as well.
    await expect(world.serve(world.configOf({}, elsewhere))).rejects.toThrow(/is a copy of the ledger at/)
    expect(await world.adopt(world.configOf({}, elsewhere))).toBe('adopted')
    await world.serve(world.configOf({}, elsewhere))
    await changePlaces()
    for (const dir of [world.dataDir, elsewhere])
      await expect(world.serve(world.configOf({}, dir))).rejects.toThrow(
        /is a copy of the ledger at .*run .\/tollbook adopt/,
      )
    await changePlaces()
    await world.serve()
    await database.close()
  })

  test('is not adopted in a directory that is served from another ledger', async () => {
    const [world, other] = [await served(), await served()]
    const strayed = other.configOf(OTHER_PAYEE, world.dataDir)
    await expect(other.adopt(strayed)).rejects.toThrow(/is served from the ledger .* holds another one/)
    expect(other.asked).toEqual([])
    await world.serve()
  })

  test('is adopted for other addresses, and never for another mode', async () => {
    const world = await served()
    await expect(world.serve(world.configOf(OTHER_PAYEE))).rejects.toThrow(/adopt if the change is meant/)
    expect(await world.adopt(world.configOf(OTHER_PAYEE))).toBe('adopted')
    await world.serve(world.configOf(OTHER_PAYEE))
    await expect(world.serve()).rejects.toThrow(/were paid/)
    const paper = readConfig({
      TOLLBOOK_MODE: 'paper',
      TOLLBOOK_DATA_DIR: temporaryDir(),
      DATABASE_URL: world.url,
    })
    await expect(world.adopt(paper)).rejects.toThrow(/is a ledger of live mode/)
  })

  test('is not adopted, and its key not replaced, while a process leads', { timeout: 40_000 }, async () => {
    const world = await served()
    const running = await openLedger({
      config: world.configOf({}, temporaryDir()),
      clock: systemClock,
      log: silentLog,
    })
    try {
      await running.leadership?.won()
      await expect(world.adopt(world.configOf(OTHER_PAYEE))).rejects.toThrow(/leads.*stop that one first/)
      const rotated = rotateSharedKey({
        config: world.configOf(),
        clock: systemClock,
        isLost: false,
        url: world.url,
      })
      await expect(rotated).rejects.toThrow(/leads.*stop that one first/)
    } finally {
      await running.close()
    }
  })

  test('gets a new key, without which no process starts any more', async () => {
    const world = await served()
    const other = temporaryDir()
    cpSync(join(world.dataDir, 'service-key.json'), join(other, 'service-key.json'))
    await world.serve(world.configOf({}, other))
    const config = world.configOf()
    const { newKeyId, kept } = await rotateSharedKey({
      config,
      clock: systemClock,
      isLost: false,
      url: world.url,
    })
    expect(newKeyId).not.toBe(world.key.id)
    expect(JSON.parse(readFileSync(kept ?? '', 'utf8'))).toHaveProperty('d')
    expect((await world.serve()).id).toBe(newKeyId)
    await expect(world.serve(world.configOf({}, other))).rejects.toThrow(/copy service-key.json from/)
  })

  test('is worked on by commands, and not made by them', async () => {
    const { configOf } = await served()
    const used = await useLedger({ config: configOf(), clock: systemClock }, ({ operator }) =>
      operator.keys(),
    )
    expect(used).toEqual([])
    const config = configOf({ DATABASE_URL: await freshSchema() }, temporaryDir())
    await expect(useLedger({ config, clock: systemClock }, async () => {})).rejects.toThrow(
      /there is no ledger in/,
    )
  })
})
