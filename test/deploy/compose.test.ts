import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../src/config/config.ts'
import { renderEnvExample } from '../../src/config/describe.ts'
import { SECRET_NAMES } from '../../src/config/gather.ts'
import { VARIABLES } from '../../src/config/variables/variables.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { isMissing } from '../../src/testing/missing.ts'

const own = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(own(path), 'utf8')

const Service = z.object({
  image: z.string(),
  restart: z.literal('unless-stopped'),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }).optional(),
  deploy: z.object({
    resources: z.object({
      limits: z.object({ cpus: z.string(), memory: z.string(), pids: z.int().optional() }),
    }),
  }),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.null()),
})
const { services, secrets, volumes } = Compose.parse(parse(read('compose.yaml')))
const all = Object.entries(services)
const tollbook = Service.parse(services.tollbook)

/** The folder after `ops/compose/make-secrets` ran in it. */
function secretsMade(): string {
  const folder = temporaryDir()
  execFileSync(own('ops/compose/make-secrets'), { cwd: folder })
  return folder
}

/** What Compose makes of `${NAME:-default}` where nothing is set. */
const filled = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')

describe('compose.yaml', () => {
  test('names every image by its version, the service by that of the package', () => {
    for (const [name, { image }] of all)
      expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+\.?\d*(-\w+)?$/)])
    expect(tollbook.image).toBe(`tollbook:${JSON.parse(read('package.json')).version}`)
  })

  test('has what is mounted, and declares what is named', () => {
    const declared = Object.keys(volumes)
    for (const [name, service] of all) {
      for (const secret of service.secrets)
        expect([name, Object.keys(secrets)]).toEqual([name, expect.arrayContaining([secret])])
      for (const volume of service.volumes) {
        const [source = ''] = volume.split(':')
        const isThere = source.startsWith('./') ? existsSync(own(source)) : declared.includes(source)
        expect([name, source, isThere]).toEqual([name, source, true])
      }
    }
  })

  test('opens ports to this machine only, and checks the health of all', () => {
    for (const [name, { ports, healthcheck }] of all) {
      for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)])
      // The service has the one of its image.
      if (name !== 'tollbook') expect([name, healthcheck?.test.length]).not.toEqual([name, undefined])
    }
  })

  test('sets only what the configuration reads, and that is a start', () => {
    const known = [...Object.keys(VARIABLES), ...SECRET_NAMES]
    for (const name of Object.keys(tollbook.environment))
      expect(known, name).toContain(name.replace(/_FILE$/, ''))
    const folder = secretsMade()
    const env = Object.fromEntries(
      Object.entries(tollbook.environment).map(([name, value]) => [
        name,
        filled(value).replace(/^\/run\/secrets\//, `${folder}/secrets/`),
      ]),
    )
    const { mode, metrics, operatorKey } = readConfig(env)
    expect([mode, metrics.port, metrics.token !== undefined, operatorKey !== undefined]).toEqual([
      'sandbox',
      9464,
      true,
      true,
    ])
    expect(renderEnvExample()).toContain('TOLLBOOK_DRAIN_MS')
  })

  test('waits with the kill for longer than the service serves on', () => {
    const grace = Number(tollbook.stop_grace_period?.replace('s', '')) * 1000
    const { drainMs } = readConfig({
      TOLLBOOK_DRAIN_MS: filled(tollbook.environment.TOLLBOOK_DRAIN_MS ?? ''),
    })
    expect(grace).toBeGreaterThanOrEqual(drainMs + 45_000)
  })

  test('gives a service the secrets that it reads, and no others', () => {
    for (const [name, { environment, secrets: given }] of all) {
      const files = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? [],
      )
      expect([name, given]).toEqual([name, expect.arrayContaining(files)])
    }
  })
})

describe('make-secrets', () => {
  test('makes every secret that is mounted, in a folder that is closed, and keeps what is there', () => {
    const folder = secretsMade()
    for (const { file } of Object.values(secrets)) {
      expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o644])
      expect(readFileSync(join(folder, file), 'utf8').length).toBeGreaterThan(32)
    }
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    const text = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim()
    const before = text('operator-key')
    expect(text('database-url')).toContain(`:${text('postgres-password')}@postgres:`)
    expect(text('redis-url')).toBe(`redis://:${text('redis-auth').replace('requirepass ', '')}@redis:6379`)
    execFileSync(own('ops/compose/make-secrets'), { cwd: folder })
    expect(text('operator-key')).toBe(before)
    expect(readConfig({ TOLLBOOK_OPERATOR_KEY: before }).notices).toEqual([])
  })
})

/** Where a file of a container lies on this machine. */
function onHost(service: z.infer<typeof Service>, folder: string) {
  return (path: string): string => {
    if (path.startsWith('/run/secrets/'))
      return join(folder, secrets[path.slice('/run/secrets/'.length)]?.file ?? '')
    const [source = ''] =
      service.volumes.map((each) => each.split(':')).find(([, inside]) => inside === path) ?? []
    return own(source)
  }
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(isMissing('promtool', hasPromtool))(
  'Prometheus takes its configuration with the files that are mounted',
  () => {
    const prometheus = Service.parse(services.prometheus)
    const toHost = onHost(prometheus, secretsMade())
    const config = read('ops/prometheus/prometheus.yaml').replace(/\/(etc|run)\/[\w./-]+/g, toHost)
    const file = join(temporaryDir(), 'prometheus.yaml')
    writeFileSync(file, config)
    const checked = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' })
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toContain('rules found')
    const {
      scrape_configs: [job],
    } = parse(config)
    expect(job.job_name).toBe('tollbook')
    expect(job.static_configs[0].targets).toEqual([`tollbook:${tollbook.environment.TOLLBOOK_METRICS_PORT}`])
  },
)

test('Grafana finds the dashboard where it looks for it', () => {
  const grafana = Service.parse(services.grafana)
  const [provider] = parse(read('ops/grafana/provisioning/dashboards/tollbook.yaml')).providers
  const [source] = parse(read('ops/grafana/provisioning/datasources/prometheus.yaml')).datasources
  expect(grafana.volumes.join()).toContain(`${provider.options.path}/tollbook.json`)
  expect([source.type, source.url]).toEqual(['prometheus', 'http://prometheus:9090'])
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
test.skipIf(isMissing('redis', hasRedis))('Redis takes its configuration, and asks for the password', () => {
  const folder = secretsMade()
  const file = join(folder, 'redis.conf')
  const toHost = onHost(Service.parse(services.redis), folder)
  const config = read('ops/compose/redis.conf')
    .replace(/\/run\/[\w./-]+/g, toHost)
    .replace('dir /data', `dir ${folder}`)
  writeFileSync(file, `${config}\nport 0\nunixsocket ${folder}/socket\ndaemonize no\n`)
  const script = [
    'redis-server "$1" >/dev/null & server=$!',
    'for _ in $(seq 100); do [ -S "$2" ] && break; sleep 0.05; done',
    'redis-cli -s "$2" ping; echo "exit $?"',
    'REDISCLI_AUTH=$(cut -d" " -f2 "$3") redis-cli -s "$2" config get appendfsync | tail -n 1',
    'kill "$server"; wait "$server"',
  ].join('\n')
  const args = ['-c', script, 'redis', file, join(folder, 'socket'), join(folder, 'secrets/redis-auth')]
  const { stdout } = spawnSync('bash', args, { encoding: 'utf8' })
  expect(stdout.trim().split('\n').filter(Boolean)).toEqual([
    'NOAUTH Authentication required.',
    'exit 0',
    'always',
  ])
})
