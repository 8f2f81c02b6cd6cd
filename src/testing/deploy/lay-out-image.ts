import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseDockerIgnore } from './docker-ignore.ts'
import { type Instruction, parseDockerfile, variablesOf, wordsOf } from './dockerfile.ts'

/** What a container of the image would start with. */
export type Image = {
  root: string
  workdir: string
  user: string
  env: Readonly<Record<string, string>>
  start: readonly string[]
  health: readonly string[]
}
type Draft = { -readonly [Key in keyof Image]: Image[Key] } & { entrypoint: string[]; cmd: string[] }

/** Does what the Dockerfile says in folders of `target` in place of images: the base images are empty, `/` is the folder. */
export function layOutImage(source: string, target: string): Image {
  const stages = parseDockerfile(readFileSync(join(source, 'Dockerfile'), 'utf8'))
  const isIgnored = parseDockerIgnore(readFileSync(join(source, '.dockerignore'), 'utf8'))
  const roots = new Map<string, string>()
  let image: Draft | undefined
  for (const [at, { name = String(at), instructions }] of stages.entries()) {
    const root = join(target, name)
    mkdirSync(root, { recursive: true })
    roots.set(name, root)
    image = { root, workdir: '/', user: '', env: {}, start: [], health: [], entrypoint: [], cmd: [] }
    for (const instruction of instructions) follow(instruction, image, { source, roots, isIgnored })
  }
  if (!image) throw new Error('the Dockerfile has no stage')
  const { entrypoint, cmd, ...laidOut } = image
  return { ...laidOut, start: [...entrypoint, ...cmd] }
}

type Surroundings = {
  source: string
  roots: ReadonlyMap<string, string>
  isIgnored: (path: string) => boolean
}

function follow({ word, flags, text }: Instruction, image: Draft, around: Surroundings): void {
  const cwd = () => join(image.root, image.workdir)
  if (word === 'WORKDIR') {
    image.workdir = text
    mkdirSync(cwd(), { recursive: true })
  } else if (word === 'COPY') copy(text.split(/\s+/), flags.from, { ...around, cwd: cwd() })
  // Absolute paths of a command are those of the image.
  else if (word === 'RUN')
    execFileSync('sh', ['-c', text.replaceAll(' /', ` ${image.root}/`)], {
      cwd: cwd(),
      stdio: ['ignore', 2, 2],
    })
  else if (word === 'ENV') image.env = { ...image.env, ...variablesOf(text) }
  else if (word === 'USER') image.user = text
  else if (word === 'ENTRYPOINT') image.entrypoint = wordsOf(text)
  else if (word === 'CMD') image.cmd = wordsOf(text)
  else if (word === 'HEALTHCHECK') image.health = wordsOf(text.replace(/^CMD\s+/, ''))
}

function copy(paths: string[], from: string | undefined, around: Surroundings & { cwd: string }): void {
  const to = resolve(around.cwd, paths.at(-1) ?? '')
  const base = from === undefined ? around.source : around.roots.get(from)
  if (base === undefined) throw new Error(`COPY --from=${from}: no such stage`)
  for (const path of paths.slice(0, -1)) {
    const source = join(base, path)
    const isMissing = !existsSync(source) || (from === undefined && around.isIgnored(path))
    if (isMissing) throw new Error(`COPY ${path}: it does not exist, or .dockerignore leaves it out`)
    const isIntoFolder = paths.length > 2 || paths.at(-1)?.endsWith('/')
    const filter = (file: string) => from !== undefined || !around.isIgnored(relative(base, file))
    const target = isIntoFolder ? join(to, basename(path)) : to
    cpSync(source, target, { recursive: true, filter, verbatimSymlinks: true })
  }
}
