import { join } from 'node:path';
import { damaged } from '../../../schemas/errors/databaseDamage.ts';
import { readRegular } from '../../../schemas/files/openRegular.ts';

/** The format of PostgreSQL 13 to 16 (src/include/catalog/pg_control.h). */
const VERSION = 1300;
const VERSION_AT = 8;
const CRC_AT = 288;
const FILE_BYTES = 8192;

/** Throws `db_damaged` if the cluster's control file is damaged, because no server starts on it. Only reads. */
export function assertControlFile(dataDir: string): void {
  // Read twice, because a running server may be writing it.
  const fault = look(dataDir) && look(dataDir);
  if (fault === undefined) return;
  throw damaged(`The database in ${dataDir}`, `global/pg_control ${fault}`);
}

function look(dataDir: string): string | undefined {
  const read = readRegular(join(dataDir, 'global', 'pg_control'), 1024 * 1024);
  if (!read.ok) return read.missing ? 'is missing' : `cannot be used, ${read.fault}`;
  return controlFault(read.bytes);
}

/** The fault of a control file; undefined for a valid one. Pure. */
export function controlFault(bytes: Buffer): string | undefined {
  if (bytes.length !== FILE_BYTES) return `has ${bytes.length} bytes instead of ${FILE_BYTES}`;
  const little = bytes.readUInt32LE(VERSION_AT) === VERSION;
  if (!little && bytes.readUInt32BE(VERSION_AT) !== VERSION) return `is not of version ${VERSION}`;
  const stored = little ? bytes.readUInt32LE(CRC_AT) : bytes.readUInt32BE(CRC_AT);
  return stored === crc32c(bytes.subarray(0, CRC_AT)) ? undefined : 'has a wrong checksum';
}

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
