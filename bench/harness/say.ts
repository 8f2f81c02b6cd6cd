import { writeFileSync } from 'node:fs'

export function say(text: string): void {
  process.stdout.write(text)
}

/** Where `--json` names a file. */
export function writeFigures(file: string | undefined, figures: object): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`)
}
