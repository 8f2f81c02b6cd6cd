import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isMissing } from './missing.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project as a buyer has it: an empty folder outside the repository. */
export type BuyerProject = Disposable & {
  folder: string
  write(name: string, text: string): void
  /** Installs nothing from outside. What npm warned of, but for the machine's own settings. */
  npm(...words: string[]): Promise<{ stdout: string; warnings: string[] }>
  /** The stock libraries, as the registry would have given them. */
  linkLibraries(): void
  tsc(...options: string[]): Promise<unknown>
  /** What a program of the project prints, on the machine's own Node. */
  run(...words: string[]): Promise<string>
}

export function openBuyerProject(): BuyerProject {
  const folder = mkdtempSync(join(tmpdir(), 'buyer-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  return {
    folder,
    write,
    async npm(...words) {
      const { stdout, stderr } = await run('npm', [...words, '--offline', '--no-audit', '--no-fund'], {
        cwd: folder,
      })
      const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line))
      return { stdout, warnings: warnings.filter((line) => !/Unknown .* config/.test(line)) }
    },
    linkLibraries() {
      mkdirSync(join(folder, 'node_modules'), { recursive: true })
      for (const name of ['@x402', 'viem', '@types'])
        symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    },
    tsc: (...options) =>
      run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', ...options], {
        cwd: folder,
      }),
    async run(...words) {
      isMissing('ownNode', ownNode !== undefined)
      return (await run(ownNode ?? process.execPath, words, { cwd: folder })).stdout
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The machine's own Node, which need not be the one that the project brings. */
const ownNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .map((path) => join(path, 'node'))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
