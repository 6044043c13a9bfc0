import { checkCycles } from './structure/cycles.ts';
import { checkDomainEdges } from './structure/domain-edges.ts';
import { checkLayers } from './structure/layers.ts';
import { readSources, type Sources } from './structure/sources.ts';
import { checkTriggers } from './structure/triggers.ts';
import { checkColumns, checkExports } from './structure/unused.ts';

const checks = [checkLayers, checkCycles, checkDomainEdges, checkTriggers, checkExports, checkColumns];

export const checkStructure = (sources: Sources): string[] => checks.flatMap((check) => check(sources));

if (import.meta.main) {
  const sources = readSources();
  const problems = checkStructure(sources);
  for (const problem of problems) console.error(problem);
  console.log(`structure: ${sources.size} files, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
