export const BROKER = "broker TEXT NOT NULL CHECK (broker IN ('paper', 'polymarket'))"
export const direction = (column: string) => `${column} TEXT NOT NULL CHECK (${column} IN ('UP', 'DOWN'))`
