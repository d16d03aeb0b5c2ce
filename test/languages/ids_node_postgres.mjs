import pg from 'pg'
import { Filter } from 'ribbonfilter'

const client = new pg.Client()
await client.connect()

const hits = new Set(Array.from({ length: 1_000_000 }, (_, i) => i + 500))
const members = await Filter.build(hits, { fpr: 0.01, key: 'integer' })

// A Buffer is sent in the binary format.
const bytes = Buffer.from(members.toBytes())
const { rows } = await client.query('SELECT id FROM items WHERE $1::ribbonfilter @> id', [bytes])

// One of 100 other rows passes. Check with the ids themselves. (A bigint comes as a string.)
console.log(rows.filter(row => hits.has(Number(row.id))).length)
await client.end()
