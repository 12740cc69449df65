/**
 * The report of a run: a data model ({@link io.agentprm.core.report.RunReport} and the records it
 * is made of) and {@link io.agentprm.core.report.HtmlReport}, which turns it into one HTML file
 * that needs no network.
 */
package io.agentprm.core.report;
