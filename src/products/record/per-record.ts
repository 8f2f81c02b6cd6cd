import type { PublicRecord } from './services.ts'

/** Made once for each record, and forgotten with it. */
export function perRecord<Made>(make: (desk: PublicRecord) => Made): (desk: PublicRecord) => Made {
  const made = new WeakMap<PublicRecord, { of: Made }>()
  return (desk) => {
    const known = made.get(desk) ?? { of: make(desk) }
    made.set(desk, known)
    return known.of
  }
}
