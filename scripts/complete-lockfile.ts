/**
 * A lockfile written on one machine lacks the optional packages of the other platforms, and `npm ci` then refuses it.
 * This adds them. `--check` only reports whether any is missing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

type LockEntry = {
  version?: string
  integrity?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const FILE = new URL('../package-lock.json', import.meta.url)
const OPERATING_SYSTEMS: [RegExp, string][] = [
  [/darwin|macos/, 'darwin'],
  [/win32|windows|\bwin\b/, 'win32'],
  [/linux/, 'linux'],
  [/android/, 'android'],
  [/freebsd/, 'freebsd'],
  [/openharmony/, 'openharmony'],
]
const PROCESSORS: [RegExp, string][] = [
  [/arm64|aarch64/, 'arm64'],
  [/x64|amd64|x86_64/, 'x64'],
  [/ia32|i686/, 'ia32'],
  [/riscv64/, 'riscv64'],
  [/ppc64/, 'ppc64'],
  [/s390x/, 's390x'],
  [/\barm\b|armv7|gnueabihf|musleabihf|eabi/, 'arm'],
  [/wasm32|wasi/, 'wasm32'],
]

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, LockEntry> }
const missing = Object.entries(lock.packages).flatMap(([owner, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(owner, name))
    .map(([name, range]) => ({ name, range, dev: entry.dev === true })),
)

if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    console.error(
      `package-lock.json lacks ${missing.map(({ name }) => name).join(', ')}: run npm run lockfile`,
    )
    process.exit(1)
  }
} else {
  for (const { name, range, dev } of missing) {
    const version = resolveVersion(name, range)
    lock.packages[`node_modules/${name}`] = {
      version,
      ...findIntegrity(name, version),
      ...(dev && { dev }),
      optional: true,
      ...described('os', name, OPERATING_SYSTEMS),
      ...described('cpu', name, PROCESSORS),
      ...(/musl/.test(name)
        ? { libc: ['musl'] }
        : /gnu/.test(name) && /linux/.test(name)
          ? { libc: ['glibc'] }
          : {}),
    }
    console.log(`added ${name}@${version}`)
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
}

/** Nested or hoisted: npm looks beside the owner first, then further up. */
function isLocked(owner: string, name: string): boolean {
  const parents = owner === '' ? [''] : [...ancestors(owner), '']
  return parents.some((parent) => lock.packages[`${parent === '' ? '' : `${parent}/`}node_modules/${name}`])
}

function ancestors(owner: string): string[] {
  const parts = owner.split('/node_modules/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'))
}

function described(key: 'os' | 'cpu', name: string, table: [RegExp, string][]) {
  const found = table.find(([pattern]) => pattern.test(name))?.[1]
  return found ? { [key]: [found] } : {}
}

/** Absent for a version that its publisher left out for one platform: `npm ci` skips that package there. */
function findIntegrity(name: string, version: string): { integrity?: string } {
  try {
    return { integrity: JSON.parse(npmView(`${name}@${version}`, 'dist.integrity')) as string }
  } catch {
    return {}
  }
}

function npmView(packageSpec: string, field: string): string {
  return execFileSync('npm', ['view', packageSpec, field, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function resolveVersion(name: string, range: string): string {
  if (/^\d+\.\d+\.\d+/.test(range)) return range
  const versions = [JSON.parse(npmView(`${name}@${range}`, 'version'))].flat() as string[]
  return versions.sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).at(-1) ?? ''
}
