import type { Directory } from '../../intel/directory/directory.ts'

export type DirectoryServices = {
  directory: Directory
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
