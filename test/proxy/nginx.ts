import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isMissing } from '../../src/testing/missing.ts'

const findProgram = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const nginx = findProgram('nginx')
const openssl = findProgram('openssl')
export const isNginxMissing = isMissing('nginx', nginx !== undefined && openssl !== undefined)

/** What the page on reverse proxies tells people to write, and what it tells those with several apis to write instead. */
export function documentedConfig(): { whole: string; several: string } {
  const page = readFileSync(new URL('../../docs/reverse-proxy.md', import.meta.url), 'utf8')
  const [whole, several] = [...page.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, config]) => config)
  if (whole === undefined || several === undefined) throw new Error('the page shows no configuration')
  return { whole, several }
}

/** Of one service, or of two. */
function configOf([first, second]: readonly number[]): string {
  const { whole, several } = documentedConfig()
  if (second === undefined)
    return replaceEach(whole, [['server 127.0.0.1:4020;', `server 127.0.0.1:${first};`]])
  const [upstream] = /^upstream[^}]*}\n/.exec(whole) ?? []
  return whole.replace(
    upstream ?? '',
    replaceEach(several, [
      ['10.0.0.3:4020', `127.0.0.1:${first}`],
      ['10.0.0.4:4020', `127.0.0.1:${second}`],
    ]),
  )
}

type Options = {
  /** Where nginx listens: with TLS, and without for clients that do not know its certificate. */
  ports: { tls: number; plain: number; redirect: number }
  /** Where the service listens; two where there are two apis. */
  upstream: number | readonly [number, number]
  /** Lines to add to the server. */
  extra?: string
}
export type RunningNginx = { certificate: string; log(): string; stop(): Promise<void> }

/** Debian's nginx with the documented configuration: only addresses and the certificate are other ones. */
export async function startNginx({ ports, upstream, extra = '' }: Options): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-nginx-'))
  const certificate = makeCertificate(folder)
  const adapted = replaceEach(configOf(typeof upstream === 'number' ? [upstream] : upstream), [
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${ports.tls} ssl http2; listen 127.0.0.1:${ports.plain}; ${extra}`,
    ],
    ['listen 80;', `listen 127.0.0.1:${ports.redirect};`],
    ['/etc/letsencrypt/live/signals.example.com/fullchain.pem', join(folder, 'cert.pem')],
    ['/etc/letsencrypt/live/signals.example.com/privkey.pem', join(folder, 'key.pem')],
  ])
  writeFileSync(join(folder, 'nginx.conf'), wrap(folder, adapted))
  const child = spawn(nginx ?? '', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  await untilListening(child, ports.plain, () => log)
  return {
    certificate,
    log: () => log,
    async stop() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each must be there once: a page that was changed must not be tested in part. */
function replaceEach(text: string, pairs: [string, string][]): string {
  return pairs.reduce((so_far, [from, to]) => {
    if (so_far.split(from).length !== 2) throw new Error(`the page does not say "${from}" once`)
    return so_far.replace(from, to)
  }, text)
}

/** What Debian's own nginx.conf says around it, without its folders. Everything else is nginx's default. */
function wrap(folder: string, config: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  return `daemon off; master_process off; pid ${join(folder, 'pid')};
events { worker_connections 256; }
http { access_log off; error_log stderr; ${temporary}
${config}
}
`
}

function makeCertificate(folder: string): string {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=signals.example.com', '-addext', 'subjectAltName=DNS:signals.example.com']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  execFileSync(openssl ?? '', ['req', '-x509', ...kind, ...files, ...subject], { stdio: 'ignore' })
  return readFileSync(join(folder, 'cert.pem'), 'utf8')
}

const TRIES = 200

async function untilListening(child: ChildProcess, port: number, log: () => string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    if (child.exitCode !== null) break
    if (await isListening(port)) return
    await pause(25)
  }
  throw new Error(`nginx does not start: ${log()}`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
