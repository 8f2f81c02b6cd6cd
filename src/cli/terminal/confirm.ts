import { createInterface } from 'node:readline/promises'

/** Whether the operator typed the word. Without a terminal nobody can. */
export async function confirm(word: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`Type ${word} to go on: `)).trim() === word
  } finally {
    terminal.close()
  }
}
