// Says that a reported condition is over.
import { reportAnswer } from '#/features/live-reports/report-life.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = reportAnswer('end_report');

export const useEndReport = () => useCommand(command);
