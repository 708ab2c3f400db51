// Reports that a condition has ended.
import { reportAnswer } from '#/features/live-reports/commands/report-answer.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = reportAnswer('end_report');

export const useEndReport = () => useCommand(command);
