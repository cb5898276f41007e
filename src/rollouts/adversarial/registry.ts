/** All kinds of scenarios. Adding one is a file and a line here. */
import { adjacentRecord } from './kinds/adjacentRecord';
import { contradictingRules } from './kinds/contradictingRules';
import { doubleDelete } from './kinds/doubleDelete';
import { emptyWorld } from './kinds/emptyWorld';
import { idReuse } from './kinds/idReuse';
import { infeasibleTask } from './kinds/infeasibleTask';
import { injection } from './kinds/injection';
import { lengthLimit } from './kinds/lengthLimit';
import { listPages } from './kinds/listPages';
import { lookAlike } from './kinds/lookAlike';
import { missingInformation } from './kinds/missingInformation';
import { overlongValue } from './kinds/overlongValue';
import { pinnedOutcome } from './kinds/pinnedOutcome';
import { repeatedCall } from './kinds/repeatedCall';
import { ruleChange } from './kinds/ruleChange';
import { staleRead } from './kinds/staleRead';
import { unknownTool } from './kinds/unknownTool';
import type { ScenarioKind } from './types';

export const SCENARIO_KINDS: readonly ScenarioKind[] = [
  contradictingRules,
  injection,
  unknownTool,
  idReuse,
  doubleDelete,
  overlongValue,
  lookAlike,
  staleRead,
  adjacentRecord,
  missingInformation,
  infeasibleTask,
  listPages,
  lengthLimit,
  pinnedOutcome,
  ruleChange,
  emptyWorld,
  repeatedCall,
];
