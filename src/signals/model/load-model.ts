import { readFileSync } from 'node:fs'
import { type Model, parseModel } from './model.ts'

const OWN = new URL('./model.json', import.meta.url)

/** The model beside this file, written by `./tollbook train`. */
export function loadModel(file: string | URL = OWN): Model {
  try {
    return parseModel(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `the signal model ${file instanceof URL ? file.pathname : file} cannot be used: ${reason}`,
      { cause },
    )
  }
}
