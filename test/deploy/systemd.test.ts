import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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

const OF_ROOT = {
  ...{
    TOLLBOOK_SITE: 'of-root',
    OPTIND: '1',
    SHELLOPTS: 'braceexpand',
    MULTI: 'line\nTOLLBOOK_MODE=live\n-x=',
    NODE_OPTIONS: '--no-such',
  },
  ...{ PGPASSWORD: "pa ss'w", TOLLBOOK_BACKUP_PASSPHRASE: 'of this command' },
}
const isRoot = process.getuid?.() === 0
test.skipIf(isMissing('root', isRoot))(
  'a command gets the settings and secrets of its unit, and of root those for a command alone',
  () => {
    const dir = temporaryDir()
    const path = (name: string) => join(dir, name)
    const write = (name: string, text: string) => writeFileSync(path(name), text)
    write('operator-key', 'of-the-operator-and-long-enough\n')
    write('evm-rpc-url', 'https://node.example/v1/key=with=signs\n')
    write(
      'tollbook.env',
      '# a comment\n\nTOLLBOOK_LOG_LEVEL="warn"\nTOLLBOOK_SITE=our-shop\nPORT=1111\n  TOLLBOOK_HISTORY_DAYS\t=  20',
    )
    write('api-1.env', 'PORT= "4103"\n')
    // What a command gets, in place of what it does.
    write('tollbook', '#!/bin/sh\nenv; echo "$PWD $*"\n')
    chmodSync(path('tollbook'), 0o755)
    const installed = unit
      .replaceAll('/etc/tollbook/secrets', dir)
      .replaceAll('/etc/tollbook', dir)
      .replaceAll('/opt/tollbook', dir)
      .replace('User=tollbook', 'User=root')
      .replace('Group=tollbook', 'Group=root')
    write('tollbook@.service', installed)
    mkdirSync(path('tollbook@.service.d'))
    write(
      'tollbook@.service.d/node.conf',
      `[Service]\nLoadCredential=evm-rpc-url:${path('evm-rpc-url')}\nEnvironment=TOLLBOOK_INTEL_RPC_URL_FILE=%d/evm-rpc-url\n`,
    )
    mkdirSync(path('tollbook@api-1.service.d'))
    const DROP_IN = 'tollbook@api-1.service.d/own.conf'
    const ours = '[Service]\n Environment = TOLLBOOK_UPSTREAM_MEMPOOL_URL=https://mempool.example/a%%20b '
    write(DROP_IN, ours)
    // Of two that have one name only the instance's counts, and names decide which is last.
    write('tollbook@.service.d/own.conf', '[Service]\nEnvironment=TOLLBOOK_PAYTO_ADDRESS=of-all\n')
    write(
      'tollbook@.service.d/zz.conf',
      '[Service]\nEnvironment="TOLLBOOK_SITE_TITLE=The last one"\nEnvironment=TOLLBOOK_OWN=%i\n',
    )
    // None of these hides another one: a folder, a link that leads nowhere, a name with a blank.
    mkdirSync(path('tollbook@.service.d/a folder.conf'))
    symlinkSync('/none', path('tollbook@.service.d/a link.conf'))
    write('tollbook@.service.d/by link.conf', '[Service]\nEnvironment=TOLLBOOK_PAYTO_ADDRESS=of-all\n')
    symlinkSync('/dev/null', path('tollbook@api-1.service.d/by link.conf'))
    mkdirSync(path('service.d'))
    write('service.d/our own.conf', '[Service]\nEnvironment=TOLLBOOK_PAYTO_ADDRESS=of-all\n')
    write('service.d/zz.conf', '[Service]\nEnvironment=TOLLBOOK_PAYTO_ADDRESS=of-all\n')
    write('service.d/a.conf', '[Service]\nEnvironment=TOLLBOOK_SITE_TITLE=The-first\n')
    write('service.d/every.conf', '[Service]\nEnvironment=TOLLBOOK_OF_EVERY_SERVICE=1\n')
    write('tollbook@.service.d/our own.conf', '[Service]\nEnvironment=TOLLBOOK_DRAIN_MS=7\n')
    const env = { PATH: process.env.PATH, UNIT: 'tollbook@api-1', UNITS: dir, ...OF_ROOT }
    const run = (...args: string[]) =>
      spawnSync(own('ops/systemd/as-service'), args, { env, encoding: 'utf8', cwd: dir })
    const { stdout, stderr } = run('config', '--json')
    expect(stderr).toBe('')
    expect(stdout).toContain(`${dir} config --json\n`)
    const told = stdout.split('\n').filter((line) => /^(TOLLBOOK_|PORT=|HOME=|PG|NODE|MULTI)/.test(line))
    expect(told.sort()).toEqual([
      'HOME=/root',
      "PGPASSWORD=pa ss'w",
      'PORT=4103',
      'TOLLBOOK_BACKUP_PASSPHRASE=of this command',
      'TOLLBOOK_DATA_DIR=/var/lib/tollbook/<mode>',
      'TOLLBOOK_DRAIN_MS=7',
      'TOLLBOOK_HISTORY_DAYS=20',
      'TOLLBOOK_INTEL_RPC_URL=https://node.example/v1/key=with=signs',
      'TOLLBOOK_LOG_LEVEL=warn',
      'TOLLBOOK_OF_EVERY_SERVICE=1',
      'TOLLBOOK_OPERATOR_KEY=of-the-operator-and-long-enough',
      'TOLLBOOK_OWN=api-1',
      'TOLLBOOK_SITE=our-shop',
      'TOLLBOOK_SITE_TITLE=The last one',
      'TOLLBOOK_UPSTREAM_MEMPOOL_URL=https://mempool.example/a%20b',
    ])
    // What it would read in another way than systemd does it does not read.
    const refused = (file: string, text: string, instead: string) => {
      write(file, text)
      const { status, stdout, stderr } = run('config')
      write(file, instead)
      expect([text, status, stdout]).toEqual([text, 1, ''])
      return stderr
    }
    for (const text of [
      ...['PGPASSWORD=a\\b', '# a comment \\\nPGPASSWORD=b', 'A=b\r', 'A="b', 'A="b" "c"', "A='b'c'"],
      ...['export PORT=4077', '1A=b', '=b', 'A-B=c'],
    ])
      expect(refused('api-1.env', `${text}\n`, '')).toMatch(`${path('api-1.env')}: as-service reads`)
    for (const line of [
      ...[
        'Environment=A=1 B=2',
        `Environment='A=1' 'B=2'`,
        'Environment="A=1"\t"B=2"',
        'Environment=A="x y"',
      ],
      ...[
        'Environment=',
        'Environment=A=a\\x20b',
        'Environment=A=%S/a',
        'Environment=A=%%%n',
        'EnvironmentFile=',
        'Environment=1A=b',
        'Environment=A2',
      ],
      ...['UnsetEnvironment=PORT', 'LoadCredentialEncrypted=a:/b'],
    ])
      expect(refused(DROP_IN, `[Service]\n${line}\n`, ours)).toContain('as-service reads')
    expect(refused(DROP_IN, '[Service]\nEnvironmentFile=/none/of.env\n', ours)).toBe(
      '/none/of.env cannot be read\n',
    )
    expect(refused(DROP_IN, '[Service]\nEnvironment=A_FILE=%d/b\n', ours)).toMatch(
      /^A_FILE: no LoadCredential of .* for b /,
    )
    expect(run('config').status).toBe(0)
    const missing = spawnSync(own('ops/systemd/as-service'), ['config'], {
      env: { ...env, UNIT: 'other' },
      encoding: 'utf8',
    })
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringContaining('other.service cannot be read'),
    ])
  },
)
