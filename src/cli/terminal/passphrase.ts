import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { explainFileFault } from '../../core/file-fault.ts'
import { type Secret, secret } from '../../core/secret.ts'

const MIN_CHARS = 16

export const PASSPHRASE_HELP = `  --passphrase-file <file>  the passphrase is the first line of it; or set TOLLBOOK_BACKUP_PASSPHRASE
`

/** Never an option of its own: other users see the command line. The file goes before the variable. */
export function readPassphrase(
  file: string | undefined,
  { backupPassphrase }: Pick<Config, 'backupPassphrase'>,
): Secret | undefined {
  if (file === undefined) return backupPassphrase
  const [line = ''] = readText(file).split(/\r?\n/, 1)
  if (line.length < MIN_CHARS)
    throw new Error(
      `${file}: a passphrase must have at least ${MIN_CHARS} characters in the first line: write a longer one`,
    )
  return secret(line)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw explainFileFault(file, error) ?? error
  }
}
