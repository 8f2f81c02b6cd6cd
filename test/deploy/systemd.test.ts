import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { SECRET_NAMES } from '../../src/config/gather.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { isMissing } from '../../src/testing/missing.ts'

const own = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const UNIT = 'ops/systemd/tollbook.service'
const unit = readFileSync(own(UNIT), 'utf8')
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
/** Of ten; what is above is written down in docs/deployment.md. */
const MAX_EXPOSURE = 1.5

test('the unit hands every credential over under a name that the configuration reads', () => {
  const credentials = valuesOf('LoadCredential').map((each) => each.split(':')[0])
  const files = valuesOf('Environment').flatMap(
    (each) => /^(\w+)_FILE=%d\/(.*)$/.exec(each)?.slice(1, 3) ?? [],
  )
  expect(files).toEqual(['TOLLBOOK_OPERATOR_KEY', credentials[0]])
  expect(SECRET_NAMES).toContain(files[0])
})

test('the unit keeps everything in its state directory, and waits for the end of the service', () => {
  const [dataDir = ''] = valuesOf('Environment').filter((each) => each.includes('DATA_DIR'))
  const { dataDir: used } = readConfig({ TOLLBOOK_DATA_DIR: dataDir.replace(/^"\w+=|"$/g, '') })
  expect(used).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}/sandbox`)
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThanOrEqual(readConfig({}).drainMs + 45_000)
  expect([valuesOf('Type'), valuesOf('KillSignal')]).toEqual([['exec'], ['SIGTERM']])
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
test.skipIf(isMissing('systemd', hasSystemd))('systemd takes the unit, and finds little exposed', () => {
  const file = join(temporaryDir(), 'tollbook.service')
  // It asks for the program of an installed service.
  writeFileSync(
    file,
    unit
      .replaceAll('/opt/tollbook/tollbook', own('tollbook'))
      .replace('file:///opt/tollbook', `file://${own('.').replace(/\/$/, '')}`),
  )
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  const rated = spawnSync('systemd-analyze', ['security', '--offline=true', own(UNIT)], { encoding: 'utf8' })
  const [, exposure] = /exposure level for tollbook\.service: ([\d.]+)/.exec(rated.stdout) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE)
  expect(readFileSync(own('docs/deployment.md'), 'utf8')).toContain(`${exposure} of 10`)
})
