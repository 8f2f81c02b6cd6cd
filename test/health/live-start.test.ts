import { expect, test } from 'vitest'
import { startApp } from '../../src/app/start.ts'
import { readConfig } from '../../src/config/config.ts'
import { UPSTREAMS } from '../../src/config/providers.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { liveEnvironment } from '../../src/testing/config/live-environment.ts'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'

/** Nobody listens there. */
const DEAD = '127.0.0.1:2'

test('a live start with dead nodes and facilitators goes on and names each of them once', async () => {
  const upstreams = UPSTREAMS.map(({ name, url }) => [
    `TOLLBOOK_UPSTREAM_${name}_URL`,
    `${url?.startsWith('wss:') ? 'ws' : 'http'}://${DEAD}`,
  ])
  const config = readConfig({
    ...liveEnvironment,
    ...Object.fromEntries(upstreams),
    PORT: '0',
    TOLLBOOK_DATA_DIR: temporaryDir(),
    TOLLBOOK_EVM_RPC_URL: `http://${DEAD}/v2/my-secret-key`,
    TOLLBOOK_SVM_RPC_URL: `http://${DEAD}/?key=my-secret-key`,
    TOLLBOOK_FACILITATORS: `http://${DEAD}/first,http://${DEAD}/second`,
  })
  const log = createKeptLog()
  const app = await startApp({ config, log, clock: systemClock })
  try {
    const told = (name: string) => log.about(name).map(({ level, host }) => [level, host])
    expect(told('base')).toEqual([['warn', DEAD]])
    expect(told('solana')).toEqual([['warn', DEAD]])
    expect(told('facilitator')).toEqual([
      ['warn', DEAD],
      ['warn', DEAD],
    ])
    const { checks } = await app.services.service.health()
    expect(checks.find(({ name }) => name === 'nodes')).toMatchObject({
      state: 'down',
      detail: expect.stringMatching(/^base: does not answer \(ECONNREFUSED\), solana: /),
    })
    const keyed = JSON.stringify([log.lines, checks])
    expect(keyed).not.toContain('my-secret-key')
    const venuesDown = log.lines.filter(({ venue, cause }) => venue !== undefined && cause !== undefined)
    expect(venuesDown.length).toBeGreaterThan(0)
    for (const { cause } of venuesDown) expect(cause).toMatch('ECONNREFUSED')
  } finally {
    await app.stop()
  }
})
