import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SECRET_NAMES } from '../../config/gather.ts'
import type { Variable } from '../../config/variables/variable.ts'
import { VARIABLES } from '../../config/variables/variables.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const commands = startCommands()
afterAll(() => commands.close())

/** In every secret, so that a search of the output finds any of them. */
const MARK = 'f00dfeed'
const OWNER_KEY = `0x${MARK.repeat(8)}`
const VALUES: Readonly<Record<string, string>> = {
  TOLLBOOK_POLY_OWNER_KEY: OWNER_KEY,
  TOLLBOOK_EVM_RPC_URL: `https://base.example/v2/${MARK}`,
  TOLLBOOK_SVM_RPC_URL: `https://solana.example/?api-key=${MARK}`,
  TOLLBOOK_INTEL_RPC_URL: `https://intel.example/${MARK}`,
  DATABASE_URL: `postgres://tollbook:${MARK}@db.example/tollbook`,
  REDIS_URL: `redis://:${MARK}@cache.example`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${MARK}`,
}

async function config(args: readonly string[], env: Record<string, string>, dotEnv = '') {
  const cwd = temporaryDir()
  if (dotEnv) writeFileSync(join(cwd, '.env'), dotEnv, { mode: 0o600 })
  return commands.run({ args: ['config', ...args], env: { PATH: process.env.PATH, ...env }, cwd })
}

const lineOf = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.split(/ {2,}/)

test('every variable is there with its value and where it comes from', async () => {
  const secretFile = join(temporaryDir(), 'metrics-token')
  writeFileSync(secretFile, `${MARK.repeat(3)}\n`, { mode: 0o600 })
  const env = { PORT: '5000', TOLLBOOK_METRICS_TOKEN_FILE: secretFile }
  const { status, stdout, stderr } = await config([], env, 'HOST=::1\nPORT=6000\n')
  expect([status, stderr]).toEqual([0, ''])
  expect(lineOf(stdout, 'PORT')).toEqual(['PORT', '5000', 'environment'])
  expect(lineOf(stdout, 'HOST')).toEqual(['HOST', '::1', '.env'])
  expect(lineOf(stdout, 'TOLLBOOK_METRICS_TOKEN')).toEqual([
    'TOLLBOOK_METRICS_TOKEN',
    'set (hidden)',
    secretFile,
  ])
  expect(lineOf(stdout, 'TOLLBOOK_DATA_DIR')).toEqual(['TOLLBOOK_DATA_DIR', './data/sandbox', 'default'])
  expect(lineOf(stdout, 'TOLLBOOK_BASE_URL')).toEqual(['TOLLBOOK_BASE_URL', '-', '-'])
  for (const name of Object.keys(VARIABLES)) expect(lineOf(stdout, name), name).toHaveLength(3)
})

test.each([[[]], [['--json']]])('no secret of any variable is in the output of %j', async (args) => {
  const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, VALUES[name] ?? MARK.repeat(3)]))
  const env = {
    ...liveEnvironment,
    ...secrets,
    TOLLBOOK_FACILITATORS: `https://one.example/${MARK}`,
    TOLLBOOK_FACILITATOR_KEY_ID: 'name',
    TOLLBOOK_POLY_RELAYER_ADDRESS: liveEnvironment.TOLLBOOK_PAY_TO_EVM,
  }
  const { status, stdout, stderr } = await config(args, env)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain(MARK)
  for (const name of SECRET_NAMES) expect(stdout, name).toContain(name)
})

/** A key may stand in the path, the query or behind the #, whoever is called. */
const KEYED = [`/${MARK}/v1`, `/v1/${MARK}/`, `/v1?key=${MARK}`, `/v1#${MARK}`]
const isOpen = ({ isSecret, refusedIn, pairedWith }: Variable) => !isSecret && !refusedIn?.live && !pairedWith

/** Every variable that would take it, with it. */
const addressesWith = (tail: string) =>
  Object.entries<Variable>(VARIABLES)
    .filter(([, variable]) => isOpen(variable))
    .flatMap(([name, { type }]) => {
      const urls = ['https', 'wss'].map((scheme) => `${scheme}://one.example${tail}`)
      return urls.filter((url) => type.safeParse(url).success).map((url) => [name, url] as const)
    })

test.each(KEYED)('no address that is called shows a key in %s', async (tail) => {
  const keyed = addressesWith(tail)
  expect(keyed.map(([name]) => name)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  // Only an api names engines.
  const api = {
    TOLLBOOK_ROLE: 'api',
    DATABASE_URL: 'postgres://db.example/d',
    REDIS_URL: 'redis://r.example',
  }
  const env = { ...liveEnvironment, ...api, ...Object.fromEntries(keyed) }
  const { status, stdout, stderr } = await config([], env)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain(MARK)
})

test('an address is shown with its host and what of its path is no key', async () => {
  const { stdout } = await config([], {
    OTEL_EXPORTER_OTLP_ENDPOINT: `https://otlp.example:4318/${MARK}`,
    TOLLBOOK_UPSTREAM_LLM_URL: `https://llm.example/${MARK}/v1`,
    TOLLBOOK_FACILITATORS: `http://127.0.0.1:1/facilitator, http://127.0.0.1:2/${MARK}`,
    TOLLBOOK_UPSTREAM_BAZAAR_URL: 'https://api.cdp.coinbase.com/platform/v2/x402',
  })
  const shown = (name: string) => lineOf(stdout, name)?.[1]
  expect(shown('OTEL_EXPORTER_OTLP_ENDPOINT')).toBe('https://otlp.example:4318/(hidden)')
  expect(shown('TOLLBOOK_UPSTREAM_LLM_URL')).toBe('https://llm.example/(hidden)/v1')
  expect(shown('TOLLBOOK_FACILITATORS')).toBe('http://127.0.0.1:1/facilitator, http://127.0.0.1:2/(hidden)')
  expect(shown('TOLLBOOK_UPSTREAM_BAZAAR_URL')).toBe('https://api.cdp.coinbase.com/platform/v2/x402')
  expect(shown('TOLLBOOK_UPSTREAM_OKX_WS_URL')).toBe('wss://ws.okx.com:8443/ws/v5/public')
})

test('for machines it is one object, with the notices of a start', async () => {
  const { stdout } = await config(['--json'], { TOLLBOOK_OPERATOR_KEY: 'a-key-to-be-guessed' })
  const { mode, variables, notices } = JSON.parse(stdout)
  expect(mode).toBe('sandbox')
  expect(variables).toContainEqual({
    name: 'PORT',
    value: '4020',
    is_hidden: false,
    from: 'default',
    path: null,
  })
  expect(variables).toContainEqual({
    name: 'TOLLBOOK_OPERATOR_KEY',
    value: null,
    is_hidden: true,
    from: 'environment',
    path: null,
  })
  expect(notices).toEqual([expect.stringMatching('^TOLLBOOK_OPERATOR_KEY: may be guessed')])
})

test('bad values are listed as at a start, and nothing else', async () => {
  expect(await config([], { PORT: 'x', TOLLBOOK_MODE: 'prod' })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^tollbook: the configuration has 2 mistakes\n {2}PORT: .*\n {2}TOLLBOOK_MODE: /,
    ),
  })
})
